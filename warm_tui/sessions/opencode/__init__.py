"""opencode: exports, the JSON files of older versions, the SQLite database of newer ones."""
