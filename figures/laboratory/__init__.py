"""The Python side of the browser: answers the page's requests inside the worker.

Nothing here knows about JavaScript: texts go in, texts come out, so all of it is tested in CPython.
"""
