"""How a fact is put, wherever it is shown: figures, tables, lines and pictures made of characters."""
