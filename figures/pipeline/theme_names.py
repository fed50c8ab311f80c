"""Names for screen readers that the theme's own HTML lacks."""

from __future__ import annotations

import re

_SEARCH = '<div class="md-search" data-md-component="search" role="dialog"'
_PROGRESS = '<div class="md-progress" data-md-component="progress" role="progressbar"'
# A section whose index is a page: its link has a name, the switch beside it and its list have none.
_SWITCH = re.compile(
    r'(<span class="md-ellipsis">\s*(?P<title>[^<]+?)\s*</span>\s*</a>\s*'
    r'<label class="md-nav__link[^"]*")(?= for="__nav_)'
)


def name_parts(html: str) -> str:
    html = html.replace(_SEARCH, f'{_SEARCH} aria-label="Поиск по сайту"')
    html = html.replace(_PROGRESS, _PROGRESS.replace('role="progressbar"', 'aria-hidden="true"'))
    return _SWITCH.sub(r'\1 aria-label="\g<title>: страницы раздела"', html)
