"""The common look of all figures: palette, sheets, matrices, marks."""
