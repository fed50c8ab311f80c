"""Maintainers' scripts that put third-party parts of the site into docs/assets."""
