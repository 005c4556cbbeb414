"""Successes that talk of errors, and the failures that look most like them."""

from __future__ import annotations

import json

import pytest

from warm_tui.reliability.output import FRAGMENTS, is_calm
from warm_tui.reliability.verdict import judge

FROM_THE_TOP = 'Traceback (most recent call last):\n  File "a.py", line 9, in <module>\n    load()\nKeyError: 1'
FROM_WITHIN = 'Traceback (most recent call last):\n  File "a.py", line 4, in load\n    rows[1]\nKeyError: 1'
PANIC = (
    "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\n"
    "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"
)

WORKED = {
    "caught within": ("python a.py 2>&1 | tail -50", f"reading\n{FROM_WITHIN}"),
    "caught, and announced": ("python a.py; echo done", f"no such row:\n{FROM_THE_TOP}\ndone"),
    "named without frames": ("python a.py 2>&1 | tail -50", "KeyError: 1"),
    "a list of what was refused": ("python a.py; echo done", "Error: no id\nError: no name\ndone"),
    "printed again": ("python a.py | cat", f"{FROM_THE_TOP}\nError: 1"),
    "printed by the code at hand": ("python -c 'try: f()\nexcept E as e: print(f\"Error: {e}\")' | cat", "Error: no id"),
    "a count of none": ("frob | cat", "ERROR: none, failed: 0"),
    "a message of make's recipe": ("make 2>&1 | cat", "make: error handling is built"),
    "rows of a table": ("mlr --oxtab cat a.csv; ls", "id 1\nerror KeyError: id\n\na.csv"),
    "mended on the way": ("xmllint --recover a.xml; ls", "a.xml:1: parser error : Entity 'nbsp' not defined\n<a/>\na.xml"),
    "one of two ways": ("cp a b || mv c b; ls", "cp: cannot stat 'a': No such file or directory\nb"),
    "made, by a name of trouble": ("mkdir -pv a/failed | cat", "mkdir: created directory 'a'\nmkdir: created directory 'a/failed'"),
    "a script that tries again": ("bash a.sh", "{}\ncurl: (7) Failed to connect to localhost port 9"),
    "what try caught": ("Rscript a.R | cat", "Error in log(1) : no\nwent on"),
    "what catch caught": ("tclsh a.tcl | cat", 'divide by zero\n    while executing\n"expr 1/0"\nwent on'),
    "the same program's second way": ("curl -sS a || curl -sS b; echo ok", "curl: (7) Failed to connect to a port 80\n{}\nok"),
    "a count of none by a compiler": ("rustc a.rs && ./a; ls", "error: none\na\na.rs"),
    "a document about errors": ("pandoc a.md -t plain | cat", "Error: failed is a word."),
    "a test that is to be written": ("prove -v a.t; ls", "not ok 2 # TODO\n#   at a.t line 4.\nResult: PASS\na.t"),
    "what a test that passed printed": ("ruby a.rb 2>&1 | cat", "2 runs, 2 assertions, 0 failures, 0 errors\nError: as wanted"),
    "a name in quotes": ("dpkg-deb -b a a.deb; ls", "dpkg-deb: building package 'errors' in 'a.deb'.\na\na.deb"),
    "a text in another encoding": ("iconv -f latin1 a.txt; true", "error: no coffee"),
    "went on behind a traceback": ("python a.py; pwd", f"{FROM_THE_TOP}\n1 of 2 read\n/srv"),
    "rescued and printed": ("ruby a.rb | cat", "a.rb:3:in `Integer': no (ArgumentError)\n\tfrom a.rb:1:in `<main>'\n1 of 2 read"),
    "warned, and went on": ("perl a.pl 2>&1 | tee a.log", "cannot find cache at a.pl line 4.\n3 rows"),
    "rescued and printed, in a log": ("elixir a.exs > a.log 2>&1; cat a.log", "** (KeyError) no key :id\n    a.exs:2: (file)\nwent on"),
    "what a script's own words said": ("cat > a.py <<'E'\nprint('KeyError: handled')\nE\npython a.py | tail -2", "KeyError: handled"),
    "a traceback that a Python of another name printed": ("hy a.hy", FROM_THE_TOP),
    "a warning about a program": ("gawk --lint -f a.awk a.log; ls", "gawk: a.awk:1: warning: reference to uninitialized `errors'\na.log"),
    "a script that goes on": ("sh a.sh 2>&1 | tail", "a.sh: 1: kill: No such process\ncleaned up"),
    "a line above says that it is over": ("hy a.hy | head -60", f"going on\n{FROM_THE_TOP}"),
    "a record of a log": ("python a.py; ls", f"ERROR:root:row 7\n{FROM_THE_TOP}"),
    "another program's traceback": ("python -c 'print(log)' | head -30", FROM_THE_TOP),
    "an error, though none is counted": ("inv build; ls", "built, 0 errors\nerror: failed once\na"),
    "sent again": ("node a.js | cat", "sent 4\nError: queue closed - reopened"),
    "the second way, told before the first": ("curl -sS a || curl -s b", "{}\ncurl: (7) Failed to connect to a port 80"),
    "tried again, what another began": ("sleep 2 & frob --on 127.0.0.1 & curl --retry 2 127.0.0.1 | tail", "curl: (7) no 127.0.0.1: refused\n{}\n"),
    "tried again": ("curl -sS --retry 5 a 2>&1 | tail", "curl: (7) Failed to connect to a\ncurl: (7) Failed to connect to a\n{}"),
    "a panic that was caught": ("./app; date", f"{PANIC}mean 1.5\n1 unread\na"),
    "a panic that cargo's program caught": ("cargo run 2>&1 | tail", f"{PANIC}mean 1.5\n1 unread"),
    "another's file": ("(sh a.sh) 2>&1 | cat", "cat: a: No such file or directory\ndefault"),
}  # fmt: skip

FAILED = {
    "caught by nobody": ("python a.py 2>&1 | tail -50", f"reading\n{FROM_THE_TOP}"),
    "raised, then another's words": ("ruby a.rb; ls", "a.rb:3:in `load': no (ArgumentError)\n\tfrom a.rb:1:in `<main>'\na\nb"),
    "died, then told so": ("perl a.pl; echo done; date", "cannot open plan at a.pl line 4.\ndone\nMon"),
    "no such package": ("dpkg-query -W a | head", "dpkg-query: no packages found matching a"),
    "a checksum that differs": ("shasum -c sums; ls", "a: FAILED\nshasum: WARNING: 1 computed checksum did NOT match\na"),
    "a script by its name": ("sh deploy.sh | cat", "stopping\ndeploy: could not copy, rolled back"),
    "with carriage returns": ("tclsh a.tcl; ls | wc -l", 'no\n    while executing\n"open a"\n    (file "a.tcl" line 3)\r\n7'),
    "frames cut off": ("python a.py 2>&1 | tail -1", "KeyError: 1"),
    "given up": ("python a.py | cat", "reading\nError: no plan"),
    "of another program": ("frob | cat", "frob.errors.NoPlanError: no plan"),
    "in a script's last words": ("bash a.sh | cat", "starting\ncp: cannot stat 'a': No such file or directory"),
    "both ways": ("cp a b || mv c b; ls", "cp: cannot stat 'a': No such file or directory\nmv: cannot stat 'c': No such file or directory"),
    "the same program's second way": ("curl a || curl b; true", "curl: (7) Failed to connect to a\ncurl: (7) Failed to connect to b"),
    "in a box": ("terraform fmt a; ls", "╷\n│ Error: Invalid expression\n╵\na"),
    "after what was caught": ("tclsh a.tcl | cat", 'no\n    while executing\n"open a"\n    (file "a.tcl" line 3)'),
    "what does not exist": ("borg extract r::a; ls", "Archive a does not exist\nr"),
    "another's trouble is over": ("python a.py | tail -50", f"{FROM_WITHIN}\ngoing on\n{FROM_THE_TOP}"),
    "the line itself says that it goes on": ("frob a || echo 'no frob, going on'; ls", "no frob, going on\nfrob: cannot open a\nb"),
    "the end of what git says": ("git push 2>&1 | tail -2", "Please make sure you have the correct access rights\nand the repository exists."),
    "tried again in vain": ("curl -sS --retry 1 a 2>&1 | tail", "curl: (7) Failed to connect to a\ncurl: (7) Failed to connect to a"),
    "a panic": ("./app; ls", f"reading\n{PANIC}"),
    "doctest": ("python -m doctest a.py | cat", "***Test Failed*** 1 failures."),
}  # fmt: skip


def structured(output: str) -> str:
    return json.dumps({"output": output, "exit_code": 0, "error": None})


@pytest.mark.parametrize("case", WORKED.values(), ids=WORKED)
def test_talk_of_errors_is_no_failure(case: tuple[str, str]) -> None:
    assert judge(json.dumps({"command": case[0]}), structured(case[1])).outcome == "success"


@pytest.mark.parametrize("case", FAILED.values(), ids=FAILED)
@pytest.mark.parametrize("form", [structured, str])
def test_failures_that_look_like_it_are_seen(case: tuple[str, str], form) -> None:
    assert judge(json.dumps({"command": case[0]}), form(case[1])).outcome == "failure"


@pytest.mark.parametrize("padding", ["", "x\n" * 1_000])
def test_every_fragment_is_found_in_short_and_in_long_texts(padding: str) -> None:
    assert [fragment for fragment in FRAGMENTS if is_calm(padding + fragment)] == []
    assert is_calm(padding + "all went well")


def test_json_lines_before_an_error_are_no_result_of_the_call() -> None:
    log = '{"level": "info", "msg": "using a"}'
    command = json.dumps({"command": "frob validate"})
    assert judge(command, f"{log}\nError: a:2: unrecognized directive: b").outcome == "failure"
    assert judge(command, f"{log}\nValid configuration").outcome == "success"
