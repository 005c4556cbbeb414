"""How well it went: verdicts, profiles, statistics.

A verdict comes about in this order:

- `verdict.py` asks what a result says of itself in its fields (`evidence.py`, the field rules of `rules.py`), and what
  a code other than 0 means (`exits.py`, `linters.py`);
- where an exit code of 0, or none, may hide a failure, `output.py` looks for one: at once it passes over what is calm;
  then it takes out what was said of things that were only made ready (`prepared.py`) and heeds codes that the line
  prints itself (`told_codes.py`);
- then it asks the text rules of `rules.py` of the end, and those of `witnesses.py` of all the rest: programs with rows
  (`complaints_of_*.py`), runtimes (`uncaught.py`), test runners (`failed_tests.py`), strangers (`strangers.py`);
- whether a witness is believed, `reading.py` decides by the command line (`shell.py`, read by `shell_reader.py`): who
  may have failed unseen, who only shows what others wrote (`viewers.py`, `elsewhere.py`), what ended well for all that
  it said (`tied.py`), and who went on after it (`aftermath.py`).
"""
