"""What figures, widgets, questions and pages share: numbers as text, models, a sentence."""
