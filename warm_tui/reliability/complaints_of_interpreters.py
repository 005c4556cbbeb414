"""How other interpreters, and their test runners, complain."""

from __future__ import annotations

from warm_tui.reliability.complaint import Complaint, complaint

# As Perl itself warns, in its own words throughout (perldiag).
_PERL_WARNS = (
    r"Use of uninitialized|Argument \".*\" isn't numeric in "
    r"|Odd number of elements in (?:hash assignment|anonymous hash) |Deep recursion on (?:anonymous )?subroutine"
    r"|Wide character in \w+ |Subroutine \S+ redefined |substr outside of string "
    r"|(?:print|printf|say|readline)\(\) on (?:closed|unopened) filehandle"
    r"|Name \"[\w:]+\" used only once: possible typo |Useless use of .* in void context "
)
INTERPRETER_COMPLAINTS: tuple[Complaint, ...] = (
    complaint(
        "ruby_exception", "ruby irb rspec rake bundle bundler rails gem",
        r"(?:.{0,300}\.rb|-e|-):\d{1,6}:in [`'].{0,200}\(\w*(?:::\w+)*(?:Error|Exception|Exit|Errno::\w+)?\)$",
        source="Ruby's Exception#full_message: what was rescued may be printed alike",
        examples=(("ruby a.rb; ls", "a.rb:2:in `load': no such plan (ArgumentError)"),),
        last_words=True,
    ),
    complaint(
        "ruby_cut", "ruby irb rspec rake bundle bundler rails gem",
        r"<internal:[^\n]{1,200}>:\d{1,6}:in [`'][^\n]{1,200}: cannot load such file -- \S{1,200} \(LoadError\)$",
        source="Ruby's Exception#full_message: its first line, where a pipe kept no more",
        examples=(("ruby a.rb | head -1", "<internal:/a.rb>:85:in `require': cannot load such file -- b (LoadError)"),),
    ),
    complaint(
        "ruby", "ruby irb rspec rake bundle bundler rails gem",
        r".*\.rb:\d+: .*(?:syntax errors?|error).*", "ERROR:  .*",
        r"\d+ examples?, \d+ failures?, [1-9]\d* errors? occurred.*", r"\d+ examples?, [1-9]\d* failures?.*",
        r"\d+ (?:runs|tests), \d+ assertions, (?:[1-9]\d* failures|\d+ failures, [1-9]\d* errors).*",
        "rake aborted!.*", "ruby: No such file .*",
        source="Ruby's parser; RSpec, Minitest, Rake and gem output",
        examples=(("rspec; ls", "2 examples, 1 failure"),),
    ),
    complaint(
        "php", "php phpunit composer artisan",
        "(?:PHP )?(?:Fatal|Parse) error: .*", "Errors parsing .*", "Could not open input file: .*",
        "Composer could not .*", r' {2}".*" does not contain valid JSON', r" {2}Parse error on line \d+",
        "(?:FAILURES|ERRORS)!$", r"Tests: \d+, Assertions: \d+, (?:Errors|Failures): [1-9].*",
        source="PHP manual, predefined error constants; PHPUnit",
        examples=(
            ("php a.php | tail", "PHP Fatal error:  Uncaught RuntimeException: no"), ("phpunit; ls", "FAILURES!"),
        ),
    ),
    complaint(
        "php_stream", "php",
        r"(?:PHP )?Warning: {1,2}\w+\(.*\): [Ff]ailed to open stream: .*",
        source="PHP manual, file_get_contents: a warning and false, and the script ends with 0",
        examples=(
            ("php a.php; ls", "PHP Warning:  fopen(a): Failed to open stream: No such file or directory in a line 1"),
        ),
        certain_exit=False, last_words=True,
    ),
    complaint(
        "perl_dies", "perl prove",
        rf"(?!{_PERL_WARNS}|#)[^\n]* at \S+ line \d+(?:, near .*|, <\w*> line \d+)?\.?$",
        r"Can't open \S+: (?:No such file or directory|Permission denied)\.$",
        source="perlfunc, die: what only warns reads alike, and goes on",
        examples=(("perl a.pl; ls", "cannot open config at a.pl line 2."),),
        last_words=True,
    ),
    complaint(
        "perl", "perl prove",
        r"Execution of \S+ aborted .*", r"\S+ had compilation errors\.", "Can't open perl script .*",
        r"BEGIN failed--compilation aborted.*", "Result: (?:FAIL|NOTESTS)$",
        "# Looks like (?:you (?:failed|planned)|your test exited) .*",
        source="perldiag; TAP::Harness, Test::More",
        examples=(
            ("perl a.pl | tail", "Execution of a.pl aborted due to compilation errors."),
            ("prove t; ls", "Result: FAIL"),
        ),
    ),
    complaint(
        "lua", "lua lua5.1 lua5.3 lua5.4 luajit luac busted",
        r"(?:lua|luac|luajit)[\d.]*: .*",
        r"[^\s:]+:\d+: Expected .*", r"\d+ success(?:es)? / (?:[1-9]\d* failures?|\d+ failures? / [1-9]\d* errors?).*",
        source="Lua manual, lua standalone; busted",
        examples=(
            ("lua a.lua | tail", "lua: a.lua:3: attempt to index a nil value"),
            ("busted; ls", "0 successes / 1 failure / 0 errors / 0 pending"),
        ),
    ),
    complaint(
        "tcl", "tclsh wish expect",
        r'(?P<why>.+)\n    while executing\n(?:.*\n){1,40}?    \(file "[^"\n]*" line \d+\)$',
        r"\S+:\tTotal\t\d+\tPassed\t\d+\tSkipped\t\d+\tFailed\t[1-9].*",
        "couldn't (?:read file|execute) .*", r"(?P<cut>.+)\n    while executing\Z",
        source="Tcl manual, errorInfo; tcltest",
        examples=(
            ("tclsh a.tcl | tail", 'divide by zero\n    while executing\n"expr 1/0"\n    (file "a.tcl" line 1)'),
        ),
    ),
    complaint(
        "r", "Rscript R",
        r"(?P<why>Error.*)\n(?:.*\n){0,40}?Execution halted$", "Execution halted$", "Fatal error: .*",
        source="R, options(error): a script that is not interactive ends; what `try` caught is printed alike",
        examples=(("Rscript a.R | tail", "Error in f(1) : no plan\nExecution halted"),),
    ),
    complaint(
        "elixir_exception", "elixir mix iex erl",
        r"\*\* \((?:\w+\.)*\w+\) .*",
        source="Elixir's Exception.format_banner: what was rescued may be printed alike",
        examples=(("elixir a.exs; ls", "** (KeyError) key :id not found in: %{}"),),
        last_words=True,
    ),
    complaint(
        "elixir", "elixir mix iex erl",
        r"\d+ tests?, [1-9]\d* failures?.*", "(?:== )?Compilation error .*",
        source="ExUnit; Mix",
        examples=(("mix test; ls", "3 tests, 1 failure"),),
    ),
    complaint(
        "raku", "raku perl6",
        "===SORRY!===.*",
        source="Rakudo, compile-time errors",
        examples=(("raku a.raku | tail", "===SORRY!=== Error while compiling a.raku\nMissing block"),),
    ),
    complaint(
        "raku_exception", "raku perl6",
        r"(?P<why>\S.*)\n {2}in (?:sub|block|method|submethod) .* at \S+ line \d+$",
        source="Raku, class Backtrace: what was caught may be printed alike",
        examples=(("raku a.raku; ls", "no plan\n  in sub f at a.raku line 1\n  in block <unit> at a.raku line 3"),),
        last_words=True,
    ),
    complaint(
        "pike", "pike pike8.0 pike7.8",
        "Compilation failed\\.$", r"(?P<why>\S.*)\n\S+:\d+: .*->.*\(.*\)$",
        source="Pike reference manual, describe_backtrace",
        examples=(("pike a.pike; ls", "no plan\na.pike:1: /main()->main()"),),
        last_words=True,
    ),
    complaint(
        "ml", "sml mlton",
        r"\S+:\d+\.\d+(?:-\d+\.\d+)? Error: .*", "(?:uncaught|unhandled) exception:? .*",
        source="SML/NJ and MLton, error messages; a session that reads its lines ends with 0 all the same",
        examples=(("sml < a.sml", "stdIn:2.5-2.30 Error: unbound variable or constructor: x\n-"),),
        certain_exit=False,
    ),
    complaint(
        "maxima", "maxima",
        "incorrect syntax: .*", r" ?-- an error\. To debug this try: .*",
        source="Maxima manual, debugging: a batch that fails ends with 0 or 1 by version",
        examples=(("maxima -b a.mac | tail", "incorrect syntax: Missing )"),),
        certain_exit=False,
    ),
    complaint(
        "basic", "bwbasic yabasic",
        r"ERROR in line \d+: .*", "---Error: .*",
        source="Bywater BASIC and Yabasic, error messages: the first is back at its prompt, and ends with 0",
        examples=(("bwbasic a.bas < /dev/null", "ERROR in line 20: Divide by 0.\nbwBASIC:"),),
        certain_exit=False,
    ),
    complaint(
        "workflow", "luigi snakemake",
        r"This progress looks :\( .*", "Missing input files for rule .*",
        r"Error in rule .*(?![\s\S]*\n\d+ of \d+ steps \(100%\) done)", r"WorkflowError.*",
        "Exiting because a job execution failed.*",
        source="the programs' pages on execution summaries and on failures",
        examples=(("luigi --module a B | tail", "This progress looks :( because there were failed tasks"),),
    ),
    complaint(
        "bats", "bats",
        r"not ok \d+ .*", r"\d+ tests?, [1-9]\d* failures?.*", " ✗ .*", "Error: .*",
        source="bats(7), TAP",
        examples=(("bats t; ls", "not ok 1 sum"),),
    ),
)  # fmt: skip
