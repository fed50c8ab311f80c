"""Self-check questions: one package for each lesson, named like its page, with `questions()`.

Every answer and explanation is computed by attnlib at build.
"""
