"""Build steps of the site: one MkDocs hook per step, and what they share."""
