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
    "a panic of what a compiler made": ("rustc a.rs && ./a; date", f"{PANIC}mean 1.5\n1 unread\nMon"),
    "went on, and only then asked where it is": ("ecl a.lisp; pwd", "went on\n/srv\nError: no plan"),
    "went on, and only then said that it is done": ("crystal a.cr; echo 'all done'", "went on\nall done\nError: no plan"),
    "nobody hears the server": (
        "python3 -m http.server 80 >/dev/null 2>&1 & curl -s 127.0.0.1 | tail", "# Errors\n\n- `error: frost`: wait\n- `fatal: drift`: call.",
    ),
    "came through, told before what failed": ("curl -sf --retry 2 a; true", "{}\ncurl: (22) The requested URL returned error: 503"),
    "warned by itself": ("perl a.pl 2>&1 | tail; ls", "Argument \"no\" isn't numeric in addition (+) at a.pl line 3.\n3 rows\na.pl"),
    "words among names": ("python a.py; ls b", f"{FROM_THE_TOP}\n1 of 2 read\nb.py\nc.py"),
    "until it answers": ("for n in 1 2; do curl -sS a:$n && break; done 2>&1 | tail -3; true", "curl: (7) Failed to connect to a\n{}"),
    "line by line": ("perl -lne 'print if /a/' a.log | head -5", "make: *** [a] Error 1\nan apple"),
    "what the line itself wrote": ("printf 'Error: no\nKeyError: 1\n' > a.txt; cat a.txt", "Error: no\nKeyError: 1"),
    "what a test run left": ("cat ci.log | tail -3", "== 3 failed, 18 passed in 2.11s ==\nmake: *** [Makefile:4: test] Error 1"),
    "what was packed": ("zstd -dcq a.zst | head -3", "03:12 ERROR row 4: failed\n03:13 FATAL pump: Connection refused"),
    "what an editor prints": ("vim -es -c 'g/ERROR/p' -c q! a.log; true", "03:20 ERROR row 9: No such file or directory"),
    "another's file": ("(sh a.sh) 2>&1 | cat", "cat: a: No such file or directory\ndefault"),
}  # fmt: skip

# Where nobody tells the exit code.
WORKED_IN_WORDS = {
    "a panic that the compiled program caught": ("rustc a.rs && ./a", f"{PANIC}mean 1.5"),
    "the same in a pipe": ("rustc a.rs && ./a 2>&1 | tee a.log", f"{PANIC}mean 1.5"),
    "the second of two ways": ("curl -sS a || curl -s b", "{}\ncurl: (7) Failed to connect to a port 80"),
    "tried again": ("curl -sfS --retry 3 a", "{}\ncurl: (22) The requested URL returned error: 503"),
    "recovered, and only then asked where it is": ("python a.py; pwd", f"recovered, 1 error\n/srv\n{FROM_THE_TOP}"),
    "what was to be taken away is not there": ("sh a.sh", "cleaned up\nrmdir: failed to remove 'a': No such file or directory"),
    "the codes that a file tells of": ("head -4 a.txt", "Codes\n\nexit code 1: frost\nexit code 2: no row"),
    "the code that a log ends with": ("tail -2 a.log", "row 3: frost\nexit status 2"),
    "a job that was started again": ("snakemake -c1 a", "Error in rule b:\n    jobid: 1\nTrying to restart job 1.\n2 of 2 steps (100%) done"),
}  # fmt: skip

FAILED = {
    "caught by nobody": ("python a.py 2>&1 | tail -50", f"reading\n{FROM_THE_TOP}"),
    "raised, and then what was kept back": ("ruby a.rb; ls", "a.rb:3:in `load': no (ArgumentError)\n\tfrom a.rb:1:in `<main>'\n2 rows\nb"),
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
    "a panic of what was compiled": ("rustc a.rs; ./a; pwd", f"reading\n{PANIC}/srv"),
    "an address that a sanitizer stopped at": (
        "gcc -fsanitize=address a.c && ./a.out | cat",
        "==7==ERROR: AddressSanitizer: SEGV on 0x6\n    #0 0x5 in main\n0x6 is there\nSUMMARY: AddressSanitizer: SEGV\n==7==ABORTING",
    ),
    "both ways, silently once": ("curl -sS a || curl -s b; true", "curl: (7) Failed to connect to a port 80"),
    "tried again in vain, and told in words": ("curl -sS --retry 1 a; echo done", "curl: (7) Failed to connect to a\ncurl: (7) Failed to connect to a\ndone"),
    "heard, though its errors alone go nowhere": ("frob 2>&1 >/dev/null; ls", "frob: cannot open a\nb"),
    "in a file that the line wrote": ("python a.py > a.log 2>&1; tail -1 a.log", "ValueError: no row"),
    "in a file, told of between": ("pytest -q > a.log 2>&1; echo ran $?, see; tail -1 a.log", "ran 1, see\n1 failed, 3 passed in 0.31s"),
    "left running, and looked at": ("python a.py > a.log 2>&1 & sleep 2; cat a.log", FROM_THE_TOP),
    "a style that is torn": ("xsltproc a.xsl a.xml 2>&1 | tail -2", "^\ncannot parse a.xsl"),
    "a server's, in a file": ("docker logs a > a.log 2>&1; tail -8 a.log", "Cannot connect to the Docker daemon at unix:///a"),
    "thrown, of another name": ("./a 2>&1 | tail -3", "terminate called after throwing an instance of 'plum'\n  what():  row 3"),
    "frames without their head": ("./a 2>&1 | tail -2", "at ../csu/libc-start.c:360\n#9  0x55780be200c0 in ???\n#10  0xffffffffffffffff in ???"),
    "the last frames of Lua": ("lua a.lua 2>&1 | tail -2", "\ta.lua:2: in main chunk\n\t[C]: in ?"),
    "at the end of what is packed": ("xz -dc < a.xz | wc -l", "xz: (stdin): Unexpected end of input\n1"),
    "a number of lz4": ("lz4 -dc a.md 2>&1 | tail -1", "Error 44 : Unrecognized header : file cannot be decoded"),
    "of a file called so": ("gcc null.c 2>&1 | head -2", "cc1: fatal error: null.c: No such file or directory"),
    "what was attempted": ("e2fsck -fn a 2>&1 | tail", "e2fsck: Attempt to read block resulted in short read while trying to open a\nIs it?"),
    "ignored before": ("ssh-keygen -y -f a.key | tail -2", "This private key will be ignored.\nLoad key \"a.key\": bad permissions"),
    "a panic": ("./app; ls", f"reading\n{PANIC}"),
    "doctest": ("python -m doctest a.py | cat", "***Test Failed*** 1 failures."),
}  # fmt: skip


def structured(output: str) -> str:
    return json.dumps({"output": output, "exit_code": 0, "error": None})


@pytest.mark.parametrize("case", WORKED.values(), ids=WORKED)
def test_talk_of_errors_is_no_failure(case: tuple[str, str]) -> None:
    assert judge(json.dumps({"command": case[0]}), structured(case[1])).outcome == "success"


@pytest.mark.parametrize("case", WORKED_IN_WORDS.values(), ids=WORKED_IN_WORDS)
def test_nor_is_it_where_the_exit_code_is_not_told(case: tuple[str, str]) -> None:
    assert judge(json.dumps({"command": case[0]}), case[1]).outcome == "success"


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
