"""What the analyses say, as documents: laid out for a screen, a terminal, Markdown, HTML or a picture."""
