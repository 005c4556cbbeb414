"""A program that stands in no table complains as nearly all programs do; what is no complaint is none."""

from __future__ import annotations

import json

import pytest

from warm_tui.reliability.outcome import Verdict
from warm_tui.reliability.verdict import judge


def said(line: str, output: str, code: int = 0) -> Verdict:
    return judge(json.dumps({"command": line}), json.dumps({"output": output, "exit_code": code, "error": None}))


COMPLAINTS = {
    "in its own name": ("frob a | tail", "reading a\nfrob: premature end of archive"),
    "in its longer name": ("frob a | tail", "frob-im6.q16: no such delegate"),
    "of what it was given": ("frob notes.md; ls", "notes.md: Invalid data found when processing input\na\nb"),
    "of what it was given, in quotes": ("frob link eth7 | cat", 'Device "eth7" does not exist.'),
    "a word for error": ("frob | tail", "Error: Connection refused"),
    "a word for error, and no colon": ("frob | tail", "ERROR    NotThere: Cannot find file"),
    "a level in brackets": ("frob -t | head", '2026/11/19 01:57:00 [emerg] 40#40: unknown directive "serverr" in a'),
    "an exception's name": ("frob -c x a.csv; date", "ColumnError: Column 'x' is invalid"),
    "a place in a file": ("frob a.pas; ls", "a.pas(4,8) Error: Incompatible types"),
    "another place in a file": ("frob a.v | cat", "a.v:3: syntax error"),
    "a wrong option": ("frob --none | tail", "unknown shorthand flag: 'f' in -f"),
    "a place in what it was given": ("frob bad.proto | cat", 'bad.proto:2:13: "strng" is not defined.'),
    "of a thing it could not find": ("frob list nowhere | cat", "Repository /srv/nowhere does not exist."),
    "in its name and version": ("frob show set | tail", "frob v7.17: The set with the given name does not exist"),
    "in a sentence with its name": ("frob install | tail", "Frob could not find a frob.json file in /srv"),
    "no colon": ("frob -t 'feets' | tail", "Unknown unit 'feets'"),
    "a level behind": ("frob a.jpg | tail", "a.jpg  [ERROR]"),
    "a date before": ("frob ls a | tail", "2026/11/19 01:56:48 Failed to create file system"),
    "a system's own words": ("frob | tail", "connect: Connection refused"),
    "counted failures": ("frob tests | tail", "2 tests, 1 passed, 1 failed"),
    "kept and shown": ("out=$(frob a 2>&1); echo \"$out\"", "frob: cannot open a\n"),
    "from a log that it wrote": ("frob > a.log 2>&1; cat a.log", "Error: Connection refused\nbye"),
    "in its name, written otherwise": ("json5 -v a.json5 | cat", "JSON5: invalid character ',' at 1:11"),
    "a file in quotes, not there": ("frob --config a.toml | cat", "Configuration file '/srv/a.toml' not found."),
    "in a compiler's brackets": ("nim c a.nim | tail", "/srv/a.nim(1, 18) Error: type mismatch"),
    "what is missing of a name": ("ghdl -a a.vhd 2>&1 | cat", 'a.vhd:3:3: no declaration for "frob"'),
    "what was expected": ("frob a.xml | cat", 'a.xml:1:16: error: element "b" not allowed here; expected the element "c"'),
    "opening a file": ("frob a | cat", "***   error opening input file: `a'."),
    "with a cross before": ("frob a.js | cat", '\u2718 [ERROR] Could not resolve "./b.js"\n\n1 error'),
    "errors that were met": ("frob a.json | cat", "Schema validation errors were encountered."),
    "the reason told last": ("frob a.db | cat", "zone a/IN: not loaded due to errors."),
    "a system's own words, and their number": ("frob | cat", "Waiting...recv: Connection refused (111)"),
    "one test": ("frob test | cat", "  1 test failed"),
    "one of the specs": ("frob test | cat", "3 specs, 1 failure\nFinished in 0.003 seconds"),
    "tests counted in a comment": ("frob test | cat", "# Ran 4 tests, 0 skipped, 1 failed."),
    "where the carriage returns": ("frob a; ls", "Error: no index\r\na"),
    "with a trace, caught by nobody": ("guile a.scm 2>&1 | cat", "Backtrace:\nERROR: In procedure car: wrong type\nstarting"),
    "with advice": ("frob a | cat", "Error: no index\nPerhaps there is one elsewhere\nRun frob --help"),
    "with its usage": ("frob -z | cat", "frob: invalid option -z\nUsage: frob [FILE]\n-a\n-b\n-c\n-d"),
    "raised, and named so": ("frob a.ss | tail", "starting\nException in vector-ref: 5 is not a valid index"),
    "by a library's log": ("frob a.fa | head", "[E::frob_main] failed to open the input file"),
    "by a log of fields": ("frob a | tail", 'time="10:00" level=fatal msg="pinging registry a: refused"'),
    "counted by a test protocol": ("frob test | tail", "# pass 0\n# fail 1"),
    "what could not be done with it": ("frob a.bam; echo ok", "a.bam could not be opened for reading.\nok"),
    "behind a setting with a path": ("FROB=etc/a.conf frob | cat", 'frob: Cannot find KDC for realm "A"'),
    "where its source is shown": ("frob a.sql | head", "/opt/frob.js:3\n  throw new Error(why);\n  ^"),
    "with the frames below": (
        "frob build | tail -3", "  at f (file:///opt/a.js:3:9)\n    at main (/opt/a.js:9:1) {\n  errors: [Getter]\n}"
    ),
    "behind another program": ("frob || true; ls", "Error: no such thing\na"),
    "in a sentence, and nothing else": ("frob -T nope a | tail", 'Format: "nope" not recognized. Use one of: a b'),
    "in a sentence, at its end": ("frob a; ls | head -3", "reading a\nyou are not within a tree\nx\ny\nz"),
    "in its own name, though it has rows": ("dpkg-query -L frob | cat", "dpkg-query: package 'frob' is not installed"),
    "in a sentence, though it has rows": ("phpunit a.php || true", 'PHPUnit 9.6 by its people\n\nCannot open file "a.php".'),
    "with its usage alone": ("frob stop a | tail -3", "Usage: frob start [FILE]\n  -a  all of them"),
    "indented by the line": ("frob a 2>&1 | sed 's/^/    /'", "reading a\n    frob: premature end of archive"),
    "by what is no wrapper here": ("poetry install; ls | wc -l", "Poetry could not find a pyproject.toml file in /srv\n3"),
    "behind a code that it tells": ("frob build | tail", "> step\nCommand failed with exit code 2.\nsee the log\nbye"),
    "where a viewer complains in its name": ("ls; grep -E 'a(' b; df | wc -l", "b\ngrep: Unmatched ( or \\(\n1"),
    "with the frames of Java alone": ("frob a | tail -2", "\tat a.B.c(B.java:3)\n\tat a.B.main(B.java:9)"),
    "with the mark below the place alone": ("frob A.hs 2>&1 | tail -3", "    of a\n  |\n1 | main = f (1 + a)\n  |          ^^^^"),
    "in a folder of its name": ("cd py/frob && frob check | cat", "The frob configuration is invalid:\n  - one thing"),
    "above its usage": ("frob -z | cat", "error: no file to go by\nUsage: frob FILE\nothers\nmore\nand more"),
    "given a file that is named after it": ("frob -c etc/frob.cfg | head", "[ALERT]  (7) : unknown keyword 'x' in 'web'"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "output"), COMPLAINTS.values(), ids=COMPLAINTS)
def test_a_stranger_complains(line: str, output: str) -> None:
    verdict = said(line, output)
    assert (verdict.outcome, verdict.kind, verdict.confidence) == ("failure", "masked", "likely")
    assert verdict.reason in " ".join(output.split())


@pytest.mark.parametrize("line", ["frob", "cd a && frob"])
def test_its_own_exit_code_outweighs_its_words(line: str) -> None:
    assert said(line, "Error: Connection refused\nbut a mirror answered").outcome == "success"


NO_COMPLAINTS = {
    "a test that passed, named after an error": (
        "frob test | cat",
        "\u2714 error: failed to parse is thrown\n1 test passed",
    ),
    "what it was given, given back": ("getopt -o e: -- --error failed | cat", "--error 'failed' --"),
    "a log that it colours": ("pygmentize -l pytb a.log | cat", "Error: Connection refused"),
    "a link": ("frob -v a; ls", "LINK: error => ../b/error"),
    "a job's name": ("frob a | cat", "errors: (g=0): rw=write"),
    "none counted in the end": ("frob build | cat", "error: failed once\nbuilt, 0 errors"),
    "a warning afterwards": ("frob apply | cat", "Error: Permission denied @ /proc/1\nWarning: no such cache"),
    "in a loop": ("for n in 1 2; do swipl a.pl; done", "ERROR: no plan\nwent on"),
    "told to go on": ("makeinfo --force a.texi | cat", "a.texi:7: unknown command `frob'"),
    "much came after it": ("frob a | cat", "Error: no index\nred\nblue\ngreen\ngrey"),
    "caught by what it runs": ("swipl -g main a.pl 2>&1 | cat", "ERROR: no plan\nwent on"),
    "in a document": ("frob a.rst | cat", "<p>\nUnknown target name: &quot;gone&quot;.</div>"),
    "a warning": ("frob a | tail", "frob: warning: unknown key\nbye"),
    "a retry": ("frob a | tail", "Error: Connection refused, retrying\nbye"),
    "nothing went wrong": ("frob a | tail", "frob: 0 errors\nerrors: none"),
    "it went well after all": ("frob a | tail", "a.rst:4: ERROR: Unknown directive\nbuild succeeded"),
    "what another program shows": ("cat app.log; frob a", "Error: Connection refused\nbye"),
    "a person's own script": ("./frob.sh | tail", "error: attempt one\nbye"),
    "a script of the shell": ("bash frob.sh | tail", "error: attempt one\nbye"),
    "what a program that it watches prints": (
        "strace cat a.md | tail",
        "error: failed to parse\n+++ exited with 0 +++",
    ),
    "what was committed": ("git log --oneline; frob", "9b5596e fix error: failed build of parser"),
    "its own file's name": ("frob error.wav | tail", "Output #0, wav, to 'error.wav':"),
    "a table": ("frob -m failed a.csv | head", "id,state\na,failed"),
    "a failure that was not the end": (
        "python3 a.py",
        "Upload failed: Connection refused\nuploaded on the second host",
    ),
    "a failure that is tried again": ("python3 a.py | tail -1", "attempt failed: Connection refused"),
    "two texts side by side": ("wdiff a b || true", "error: [-1-] {+0+}\nfailed: 2"),
    "a text decoded": ("base64 -d a.b64 | tail -3", "Subject: disk\n\nERROR: the disk is full"),
    "findings of a spelling checker": ("cspell a.md | tail", "a.md:4:56 - Unknown word (databse)"),
    "findings of a linter that is in no table": ("frob-lint a.md | cat", "a.md:1 error A7 no space behind it"),
    "frames that a person's own script prints": (
        "node a.js; echo ok",
        "TypeError: caught\n    at f (/srv/a.js:3:9)\n    at main (/srv/a.js:9:1)\nok",
    ),
    "an answer without an error": ("python3 a.py", '{"ok": false, "error": null}'),
    "an answer in a file": ("cat a.json", '{"success": false, "error": "quota exceeded"}'),
    "a sentence in a text that it unpacks": ("zstd -dc a.zst | tail", "cannot open file: permission denied"),
    "a sentence among others": ("frob a | tail", "red\nblue\ngreen\nblack\nyou cannot open it there"),
    "a sentence, and then work": ("frob a | tail", "cache not found\nbuilt\nsent"),
    "a sentence of the line itself": ("frob a || echo 'no such frob'", "no such frob"),
    "data": ("frob get a | cat", '{"detail": "no such user"}'),
    "a row of a table": ("frob list | cat", "web  could not be reached"),
    "a sentence of a page that it got": ("curl -s localhost/a | head -1", "user not found"),
    "help, asked for": ("frob --help | head", "Usage: frob [FILE]\nIt cannot read what is not there."),
    "tests that passed": ("mocha a.js | cat", "FATAL: declined\n\n  2 passing (6ms)"),
    "a sentence before what was said of its success": ("frob a && echo ok; true", "error: closed, reopened\nok"),
    "names of exceptions": ("ruby a.rb | head", "IOError\nZeroDivisionError"),
    "what a script caught": ("lua5.4 a.lua || true", "the old rate\nerror: a.lua:1: rate missing"),
    "a file, and then the date": ("cat a.trace; date +%s > /dev/null", "IOError: no plan"),
    "words of a warning's place": ("frob a | cat", "a:1: warning: x\n1 | f (1)\n  | ^^^"),
    "a server's lesser trouble": (
        "kubectl get pods | head",
        'E1119 1 memcache.go:287] "couldn\'t get resource list for metrics: refused"\nweb-1 Running',
    ),
}


@pytest.mark.parametrize(("line", "output"), NO_COMPLAINTS.values(), ids=NO_COMPLAINTS)
def test_what_is_no_complaint(line: str, output: str) -> None:
    assert said(line, output).outcome == "success"


def test_a_shell_tells_which_of_its_commands_was_killed() -> None:
    verdict = said("./crash; pwd", "bash: line 1:  3008 Aborted                 ./crash\n/work")
    assert (verdict.kind, verdict.reason) == ("masked", "bash: line 1: 3008 Aborted ./crash")


@pytest.mark.parametrize(
    ("line", "output", "outcome"),
    [
        ('frob; echo "exit: $?"', "exit: 3\nsome noise on the other stream", "failure"),
        ('frob; echo "exit: $?"', "Error: a word\nexit: 0", "success"),
        ("frob; echo rc=$?; true", "rc=1", "failure"),
        ("grep -q a b; echo rc=$?", "rc=1", "success"),
        ("frob | tail; echo rc=$?", "frob: cannot open a\nrc=0", "failure"),
    ],
)
def test_the_line_tells_the_code_itself(line: str, output: str, outcome: str) -> None:
    assert said(line, output).outcome == outcome


def test_json_that_a_program_printed_is_its_output() -> None:
    """Where no exit code is told: fields of what was asked for are not the call's."""
    line = json.dumps({"command": "cat job.json"})
    assert judge(line, '{"error": "none", "failed": 0, "status": "failed"}').outcome == "success"
    assert judge(line, '{"error": "no such command", "status": "error"}').outcome == "failure"
    assert judge("{}", '{"error": "none", "failed": 0}').outcome == "failure"
    shown = '{\n  "success": false,\n  "error": "no cart"\n}'
    assert judge(json.dumps({"command": "jq . answer.json"}), shown).outcome == "success"
    assert judge(json.dumps({"command": "frob answer"}), shown).outcome == "failure"


def test_colours_hide_no_complaint() -> None:
    verdict = said("frob a | cat", "\x1b[1;31mError\x1b[0m: no such plan\nsee there\nand there")
    assert (verdict.outcome, verdict.reason) == ("failure", "Error: no such plan")


TELLS_ITS_CODE = '; echo "exit code: $?"'


@pytest.mark.parametrize(("program", "code"), [("diff -q a b", 1), ("zgrep PANIC a.gz", 1), ("getent group a", 2)])
def test_a_code_that_the_line_itself_tells_is_that_of_its_program(program: str, code: int) -> None:
    """As plain text, too, where an agent's own note on the exit code looks alike."""
    for line, outcome in ((program, "success"), ("frob a", "failure")):
        arguments = json.dumps({"command": line + TELLS_ITS_CODE})
        assert judge(arguments, f"exit code: {code}").outcome == outcome


@pytest.mark.parametrize(("line", "code"), [("getent group a", 2), ("make -q all", 1)])
def test_a_question_that_was_answered(line: str, code: int) -> None:
    assert said(line, "", code).kind == "benign_exit"
    assert said(line, "no such rule", code).outcome == "failure"
