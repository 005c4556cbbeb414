"""What the last sessions taught, as suggestions: the program suggests, the operator decides."""
