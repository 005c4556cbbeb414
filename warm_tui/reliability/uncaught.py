"""What a runtime writes when nobody caught what was raised: the same for every program that was written for it.

So it counts whatever the program is called, a binary, a script or a target of a Makefile, if nothing else was said
behind it. A row is a shape that no program prints by choice, as a list of frames below a heading.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from warm_tui.reliability.glances import from_anchors


class Uncaught(NamedTuple):
    """`pattern` begins at a line's start; where it holds a group, these are the words: else all that it matched."""

    name: str
    pattern: str
    source: str
    example: str


UNCAUGHT: tuple[Uncaught, ...] = (
    Uncaught(
        "racket",
        r"(?P<racket>\S[^\n:]*: [^\n]+)\n(?: {2}[^\n]*\n){0,12}? {2}context\.\.\.:$",
        "Racket reference, error message conventions",
        'vector-ref: index is out of range\n  index: 5\n  context...:\n   body of "/a.rkt"',
    ),
    Uncaught(
        "guile",
        r"(?:ERROR: |[^\s:]{1,200}:\d+:\d+: )In procedure [^\n]{1,80}:(?:\n[^\n]+)?",
        "Guile reference, debug on error",
        "Backtrace:\n/a.scm:1:14: In procedure f:\nIn procedure car: Wrong type argument in position 1: 5",
    ),
    Uncaught(
        "erlang",
        r"init terminating in do_boot [^\n]{1,300}|Crash dump is being written to: [^\n]{1,80}",
        "Erlang, init and erl_crash.dump",
        "init terminating in do_boot ({{badmatch,2},[{erl_eval,expr,6,[]}]})",
    ),
    Uncaught(
        "elixir compiler",
        r"== Compilation error in file \S+ ==(?:\n[^\n]+)?",
        "Mix.Tasks.Compile.Elixir",
        "== Compilation error in file a.ex ==\n** (TokenMissingError) a.ex:3:1: missing terminator: end",
    ),
    Uncaught(
        "ruby",
        r"(?P<ruby>\S{1,200}?:\d+:in [`'][^\n]{1,300} \([\w:]*(?:Error|Exception)\))\n\s+from \S+:\d+:in ",
        "Ruby, Exception#full_message",
        "<internal:/usr/lib/require.rb>:85:in `require': cannot load such file -- a (LoadError)\n\tfrom "
        "<internal:/b.rb>:85:in `r'",
    ),
    Uncaught(
        "python, over lines",
        r'    raise [^\n]+\n(?P<python>[a-z_][\w.]{0,80}\.[A-Z]\w{2,40}(?:Error|Exception): [^\n]+)\n  in \"',
        "traceback module; PyYAML's marks",
        '    raise ParserError("a",\nyaml.parser.ParserError: while parsing a flow sequence\n  in "a.yaml", '
        "line 1",
    ),
    Uncaught(
        "go",
        r"(?P<go>(?:panic|fatal error): [^\n]+)\n(?:[^\n]*\n){0,4}goroutine \d+ \[[^\n]{0,80}"
        r"(?:\n(?:\S{1,200}\([^\n]{0,300}\)|\t[^\n]{0,300}|created by [^\n]{0,300}|goroutine \d+ \[[^\n]{0,80}"
        r"|exit status \d+|))*",
        "Go, runtime panics",
        "panic: no plan\n\ngoroutine 1 [running]:\nmain.main()",
    ),
    Uncaught(
        "rust",
        r"(?P<rust>thread '[^'\n]*' (?:\(\d+\) )?panicked at [^\n]+(?:\n[^\n]+)?)(?:\n[^\n]*){0,6}?"
        r"\n(?:note: [^\n]*|stack backtrace:(?:\n[ \t]+[^\n]*){0,200}(?:\nnote: [^\n]*)?)",
        "Rust, std::panic",
        "thread 'main' panicked at src/main.rs:2:5:\nno plan\nnote: run with `RUST_BACKTRACE=1`",
    ),
    Uncaught(
        "rust, cut",
        r"thread '[^'\n]*' (?:\(\d+\) )?panicked at [^\n]+:\Z",
        "Rust, std::panic: what a pipe leaves of it",
        "thread 'main' panicked at src/main.rs:2:5:",
    ),
    Uncaught(
        "click",
        r"Usage: [^\n]+\n(?P<click>Try '[^'\n]{1,80} (?:-h|--help)' for help\.)",
        "Click, usage errors",
        "Usage: app [OPTIONS] SRC ...\nTry 'app --help' for help.",
    ),
    Uncaught(
        "java",
        r'Exception in thread \"[^\"\n]{1,80}\" [^\n]+(?=\n\s+at )',
        "Java, ThreadGroup.uncaughtException",
        'Exception in thread "main" java.lang.IllegalStateException: no plan\n\tat A.main(A.java:1)',
    ),
    Uncaught(
        "haskell",
        r"\S{1,60}: [^\n]{1,300}\n(?:[^\n]*\n){0,3}?CallStack \(from HasCallStack\):",
        "GHC user guide, HasCallStack",
        "app: no plan\nCallStack (from HasCallStack):\n  error, called at a.hs:1:8 in main:Main",
    ),
    Uncaught(
        "julia",
        r"ERROR: (?:LoadError: )?[^\n]{1,300}\n(?:[^\n]*\n){0,3}?Stacktrace:",
        "Julia manual, stack traces",
        "ERROR: LoadError: no plan\nStacktrace:\n [1] error(s::String)",
    ),
    Uncaught(
        "dotnet and dart",
        r"Unhandled [eE]xception[.:](?: |\n)[^\n]{1,300}",
        ".NET, unhandled exceptions; Dart",
        "Unhandled exception. System.InvalidOperationException: no plan\n   at A.Main()",
    ),
    Uncaught(
        "javascript",
        r"(?P<js>(?:Uncaught )?\w{0,40}Error(?: \[\w+\])?: [^\n]+)\n(?:[^\n]*\n){0,60}(?:Node\.js|Bun) v\d",
        "Node.js documentation, Errors",
        "TypeError: a is not a function\n    at a.js:1:1\n\nNode.js v20.1.0",
    ),
    Uncaught(
        "deno",
        r"error: (?:Uncaught|Module not found)[^\n]{1,300}",
        "Deno manual, runtime errors",
        "error: Uncaught (in promise) TypeError: no plan\n    at file:///a.ts:1:7",
    ),
    Uncaught(
        "c++",
        r"terminate called (?:after throwing|without)[^\n]{1,200}(?:\n  what\(\): [^\n]{1,300})?",
        "GNU libstdc++ manual, termination",
        "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no plan",
    ),
    Uncaught(
        "assert of c",
        r"[^\n]{1,300}: Assertion `[^\n]{1,300}' failed\.",
        "glibc manual, assert",
        "app: a.c:3: main: Assertion `x > 0' failed.",
    ),
    Uncaught(
        "sanitizers",
        r"(?P<sanitizer>==\d+==(?:ERROR: \w*Sanitizer[^\n]{1,200}|ABORTING$))(?:\n[^\n]*){0,200}",
        "Clang documentation, AddressSanitizer",
        "==17==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x1",
    ),
    Uncaught(
        "malloc and stack of c",
        r"(?:\*\*\* )?(?:stack smashing detected|buffer overflow detected|(?:free|malloc|realloc|munmap_chunk)"
        r"\(\): (?:invalid|corrupted|double)[^\n]{1,80}|double free or corruption)[^\n]{0,80}",
        "glibc manual, heap consistency checking",
        "free(): invalid pointer",
    ),
    Uncaught(
        "fortran",
        r"(?:At line \d+ of file [^\n]{1,200}\n)?Fortran runtime error: [^\n]{1,200}",
        "GNU Fortran, runtime",
        "At line 3 of file a.f90 (unit = 10)\nFortran runtime error: Cannot open file 'a.dat'",
    ),
    Uncaught(
        "pascal",
        r"Runtime error \d{1,3} at \$[0-9A-F]+|An unhandled exception occurred at \$[^\n]{1,80}(?:\n[^\n]+)?",
        "Free Pascal user's guide, run-time errors",
        "Runtime error 201 at $0000000000401090",
    ),
    Uncaught(
        "ada",
        r"raised [A-Z][\w.]{2,80} : \S+\.ad[abs]:\d+[^\n]{0,200}",
        "GNAT user's guide, tracebacks",
        "raised CONSTRAINT_ERROR : a.adb:5 range check failed",
    ),
    Uncaught(
        "ocaml",
        r"Fatal error: exception [^\n]{1,300}",
        "OCaml manual, runtime system",
        'Fatal error: exception Failure("no plan")',
    ),
    Uncaught(
        "chez",
        r"Exception(?: in [^\s:]{1,80})?: [^\n]{1,300}\Z",
        "Chez Scheme user's guide, default handler",
        "Exception in car: 5 is not a pair",
    ),
    Uncaught(
        "lisp",
        r"Unhandled [A-Z][\w:-]{2,60}[^\n]{0,200}(?:\n  [^\n]+)?",
        "SBCL manual, the debugger",
        'Unhandled SIMPLE-ERROR in thread #<SB-THREAD:THREAD "main thread" RUNNING>:\n  no plan',
    ),
    Uncaught(
        "lua",
        r"(?!\S{1,200}\.lua:\d+: )\S{1,200}: [^\n]{1,300}\nstack traceback:$",
        "Lua manual, lua_pcall and debug.traceback: what runs a script puts its own name first",
        "app: main.lua:3: no plan\nstack traceback:\n\t[C]: in ?",
    ),
    Uncaught(
        "lua, cut",
        r"\A(?![\s\S]*(?:stack traceback:|xpcall))(?:[^\n]*\n){0,40}?"
        r"(?P<lua_cut>\t[^\n]+: in main chunk\n\t\[C\]: in \?)\Z",
        "Lua manual, debug.traceback: the last frames of what nobody called",
        "\ta.lua:2: in function 'f'\n\ta.lua:3: in main chunk\n\t[C]: in ?",
    ),
    Uncaught(
        "python, cut",
        r"\A(?![\s\S]*Traceback \(most)(?:[^\n]*\n){0,300}?"
        r'  File \"[^\"\n]{1,300}\", line \d+, in [^\n]{1,100}\n(?: [^\n]*\n){1,9}'
        r"(?P<python_cut>(?:[a-z_]\w*\.){0,9}[A-Z]\w{2,60}(?:Error|Exception)(?:: [^\n]*)?)$",
        "traceback module: what a pipe leaves of it",
        '  File "a.py", line 3, in <module>\n    import frob\nModuleNotFoundError: No module named frob',
    ),
    Uncaught(
        "signals",
        r"(?:Killed|Segmentation fault|Bus error|Illegal instruction|Floating point exception)(?: \(core dumped\))?$",
        "POSIX, strsignal, as shells print it",
        "epoch 1\nSegmentation fault (core dumped)",
    ),
    Uncaught(
        "PyYAML, cut",
        r"(?P<yaml>[^\n]+)\n {2}in \"[^\"\n]*\", line \d+, column \d+(?::?(?:\n {4}[^\n]*){1,3})?\Z",
        "PyYAML, marked errors",
        "expected ',' or ']', but got '<stream end>'\n  in \"a.yaml\", line 1, column 6:\n    a: [1\n         ^",
    ),
    Uncaught(
        "clap",
        r"For more information,? try '?--help'?\.?\Z",
        "clap, usage errors",
        "error: unexpected argument '-z' found\n\nUsage: app [FILES]\n\nFor more information, try '--help'.",
    ),
    Uncaught(
        "autoconf",
        r"(?:\S{1,200}/)?configure: error: [^\n]{1,300}(?:\nSee [^\n]{0,100}config\.log[^\n]{0,40})?",
        "Autoconf manual, AC_MSG_ERROR",
        "configure: error: no acceptable C compiler found in $PATH",
    ),
    Uncaught(
        "tcl",
        r'(?P<tcl>[^\n]{1,300})\n    while executing\n(?:[^\n]*\n){1,40}?    \(file \"[^\"\n]*\" line \d+\)$',
        "Tcl manual, errorInfo",
        'divide by zero\n    while executing\n"expr 1/0"\n    (file "a.tcl" line 1)',
    ),
    Uncaught(
        "r",
        r"(?P<r>Error[^\n]*)\n(?:[^\n]*\n){0,40}?Execution halted$",
        "R, options(error)",
        "Error in f(1) : no plan\nExecution halted",
    ),
    Uncaught(
        "prolog",
        r"(?:ERROR|Warning): [^\n]{0,200}initiali[sz]ation goal (?:failed|raised exception)[^\n]{0,200}",
        "SWI-Prolog manual, initialization/1",
        "Warning: /a.pl:2:\nWarning:    initialization goal failed",
    ),
    Uncaught(
        "php",
        r"(?:PHP )?Fatal error: {1,2}Uncaught [^\n]{1,300}",
        "PHP manual, exceptions",
        "PHP Fatal error:  Uncaught RuntimeException: no plan in /a.php:1",
    ),
    Uncaught(
        "symfony console",
        r"In \S{1,80}\.php line \d+:\n(?:[^\n]*\n){1,30}\n*[a-z][\w:-]{0,60} (?:\[-|<)[^\n]{1,2000}\Z",
        "Symfony, Console exceptions",
        "In App.php line 12:\n\n  no plan\n\nbuild [--force] [--] [<path>]",
    ),
)  # fmt: skip
_NEEDS = (
    "context...:", "n procedure ", "do_boot", "rash dump", "Compilation error", "\tfrom ", "raise ", "goroutine ",
    "panicked at ", "Try '", "Exception", "xception", "CallStack", "Stacktrace:", "Node.js v", "Bun v", "Uncaught",
    "error: Module", "terminate called", "Assertion ", "Sanitizer", "==ABORTING", "detected", "(): ", "double free",
    "Fortran runtime", "Runtime error ", "raised ", "Unhandled ", "unhandled ", "stack traceback:", "while executing",
    "Execution halted", "nitiali", "[C]: in ?", "configure: error: ", "Killed", " fault",
    "Bus error", "Illegal in", "point exc", ", column ", "\", line ", "try '--help",
    "try --help",
    ".php line ",
)  # fmt: skip
_needed = re.compile(from_anchors(_NEEDS)).search
_ALL = re.compile(f"(?m)^(?:{'|'.join(row.pattern for row in UNCAUGHT)})")


def uncaught_in(text: str) -> tuple[str, int] | None:
    """What nobody caught, and where its words end; the last that the text holds."""
    if _needed(text) is None:
        return None
    at, last = 0, None
    while True:
        found = _ALL.match(text, at)
        if found is not None:
            last = found
            at = found.end()
        at = text.find("\n", at) + 1
        if not at:
            break
    if last is None:
        return None
    words = next(filter(None, last.groups()), None) or last[0]
    return words, last.end()
