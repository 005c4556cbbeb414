"""How compilers, build tools, Python, JavaScript and their test runners complain."""

from __future__ import annotations

from warm_tui.reliability.complaint import Complaint, complaint

_PLACE = r"[^\s:][^:\n]{0,200}:\d+(?::\d+)?"
_PYTHONS = "python python2 python3 pypy pypy3 ipython"
_TESTED_PYTHON = f"{_PYTHONS} pytest py.test tox nox unittest make coverage"
_MAKERS = "make gmake ninja cmake meson scons bazel"

CODE_COMPLAINTS: tuple[Complaint, ...] = (
    # --- compilers and linkers ---
    complaint(
        "compiler", f"gcc g++ cc c++ clang clang++ gfortran nvcc tcc nasm javac kotlinc swiftc mvn gradle {_MAKERS}",
        rf"{_PLACE}: (?:fatal )?error: .*",
        r"(?:gcc|g\+\+|cc1?(?:plus)?|clang(?:\+\+)?|nasm|javac): (?:fatal )?error:? .*", r"compilation terminated\.$",
        r"cc1(?:plus)?: (?:all|some) warnings being treated as errors$",
        source="GNU Coding Standards, Formatting Error Messages; javac and nasm follow them",
        examples=(
            ("gcc a.c | tail", "a.c:2:5: error: 'x' undeclared"),
            ("javac A.java; ls", "A.java:1: error: ';' expected"),
        ),
    ),
    complaint(
        "count of a compiler", "javac",
        "[1-9]\\d* errors?$",
        source="javac: the count ends its diagnostics",
        examples=(("javac A.java | tail -2", "  location: class A\n2 errors"),),
    ),
    complaint(
        "clang", "clang clang++",
        "error: (?:invalid value|unknown (?:argument|target)|unsupported option|no such file|no input files)\\b.*",
        source="Clang user's manual: what concerns no file stands without one",
        examples=(("clang -std=c1 a.c | tail", "error: invalid value 'c1' in '-std=c1'\nnote: use 'c99'"),),
    ),
    complaint(
        "ghc", "ghc runghc runhaskell cabal stack",
        rf"{_PLACE}: error:.*",
        source="GHC user guide, error messages",
        examples=(("runghc a.hs | tail", "a.hs:5:15: error:\n    Variable not in scope: x"),),
    ),
    complaint(
        "linker", f"gcc g++ cc c++ clang clang++ gfortran ld rustc go cargo {_MAKERS}",
        "collect2: error: .*", r".*\bundefined reference to .*", r"clang(?:\+\+)?: error: .*",
        r".*\bld(?:\.\w+)?: cannot find .*",
        source="GNU ld manual",
        examples=(("gcc a.c; ls", "collect2: error: ld returned 1 exit status"),),
    ),
    complaint(
        "gfortran", "gfortran",
        "Error: .*",
        source="GNU Fortran manual",
        examples=(("gfortran a.f90 | tail", "Error: Invalid character"),),
    ),
    complaint(
        "rust", "rustc cargo",
        r"error(?:\[E\d+\])?: .*",
        source="rustc book, JSON and human output",
        examples=(("cargo build 2>&1 | tail", "error[E0308]: mismatched types"),),
    ),
    complaint(
        "rust_panic", "rustc cargo",
        r"(?P<why>thread '[^'\n]*' (?:\(\d+\) )?panicked at [^\n]*(?:\n(?!note: )[^\n]+)?)"
        r"(?:(?:\n[^\n]*){0,6}?\nnote: [^\n]*|\nstack backtrace:(?:\n[ \t]+[^\n]*){0,200}(?:\nnote: [^\n]*)?)?",
        r"note: (?:run|Some details are omitted, run) with `RUST_BACKTRACE=\w+` .*\Z",
        source="std::panic; what catch_unwind caught was printed, too",
        examples=(("cargo run; ls", "thread 'main' panicked at src/main.rs:2:5:\nno plan"),),
        last_words=True,
    ),
    complaint(
        "go", "go",
        r"(?:vet: )?(?:\./)?[^\s:]+\.go:\d+:\d+: (?!.* \(\w+\)$).*", "panic: .*", "--- FAIL: .*", r"FAIL(?:\t.*)?$",
        "go: (?!downloading |found |finding |added |upgraded )"
        ".*(?:error|cannot|not found|unknown|already exists|disabled|no such host|updates to go).*",
        r"stat \S+: (?:directory not found|no such file or directory)$", r"package \S+: C source files not allowed .*",
        r"found packages .* and .* in \S+$",
        r"exit status [1-9]\d*$",
        "no required module provides .*", "package .* is not in .*",
        source="cmd/go, Test packages; cmd/compile",
        examples=(("go build ./... | tail", "./main.go:3:15: undefined: x"),),
    ),
    complaint(
        "java", "java mvn mvnw gradle gradlew ant sbt scala",
        r'Exception in thread "[^"\n]*" .*', "Error: (?:Could not find or load|Unable to) .*", r"\[ERROR\] .*",
        "BUILD FAILED.*", "FAILURE: Build failed .*", "FAILURES!!!",
        r"Tests run: \d+, +Failures: (?:[1-9]|0, +Errors: [1-9]).*",
        source="java launcher; Maven, Ant, Gradle and JUnit 4 console output",
        examples=(
            ("java -jar a.jar | head", 'Exception in thread "main" java.lang.IllegalStateException: no config'),
            ("mvn -q test | tail", "[ERROR] Failed to execute goal"),
        ),
    ),
    complaint(
        "ocaml", "ocaml ocamlc ocamlopt ocamlfind dune",
        "Error: .*", "ocamlfind: .*", "(?:Fatal error: e|E)xception:? .*",
        source="OCaml manual, batch compilation",
        examples=(("ocamlc a.ml | tail", "Error: This expression has type string"),),
    ),
    complaint(
        "tsc", "tsc ts-node tsx",
        r".*\berror TS\d+: .*", r" *This is not the tsc command you are looking for *$",
        source="TypeScript compiler options",
        examples=(("tsc | head", "a.ts(1,7): error TS2322: no"),),
    ),
    # --- build tools ---
    complaint(
        "make", "make gmake scons",
        r"(?:g?make(?:\[\d+\])?|scons): \*\*\* .*", r"[^\s:]+:\d+: \*\*\* .* Stop\.$",
        source="GNU make manual, Errors; SCons writes alike",
        examples=(("make; ls", "make: *** [Makefile:3: all] Error 1"),),
    ),
    complaint(
        "bsd_make", "bmake pmake",
        r"\*\*\* Error code \d+$", r"\w{1,20}: stopped (?:making .* )?in .*",
        source="make(1) of NetBSD",
        examples=(("bmake | tail -2", "*** Error code 1\n\nStop."),),
    ),
    complaint(
        "cmake", "cmake ctest",
        r"CMake Error\b.*", r".*\b[1-9]\d* tests? failed out of .*", "The following tests FAILED:.*",
        "No tests were found!!!", "-- Configuring incomplete, errors occurred!",
        source="cmake(1), ctest(1)",
        examples=(("cmake -B b | tail", "CMake Error at CMakeLists.txt:3 (find_package):"),),
    ),
    complaint(
        "ninja", "ninja meson cmake samu",
        "ninja: (?:fatal|error|build stopped): .*", "FAILED: .*", r".*meson\.build:\d+:\d+: ERROR: .*",
        source="Ninja and Meson manuals",
        examples=(("ninja | tail", "ninja: build stopped: subcommand failed."),),
    ),
    # --- Python ---
    complaint(
        "python_traceback", _TESTED_PYTHON,
        r'(?<!:\n)(?<!: \n)Traceback \(most recent call last\):\n'
        r'  File "[^"\n]*", line \d+, in (?:<module>|_run_module_as_main)\n'
        r"(?:[ \t].*\n|\n){0,400}(?P<why>[A-Za-z_][\w.]*(?::.*)?)$",
        source="traceback module: nobody caught what was raised from a module's own top",
        examples=(
            ("python a.py; ls",
             'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nmypkg.Custom: no'),
        ),
        last_words=True,
    ),
    complaint(
        "python_start", _PYTHONS,
        r"(?:\S*/)?(?:python|pypy)[\d.]*: (?:can't open file|No module named|Error while|can't find) .*",
        source="Python command line",
        examples=(("python3 a.py | tail", "python3: can't open file 'a.py': [Errno 2]"),),
    ),
    complaint(
        "python_syntax", _PYTHONS,
        r'[ \t]*File "[^"\n]+", line \d+\n(?:[ \t].*\n){1,4}(?P<why>(?:\w*Error): .*)$',
        source="Python tutorial, Errors",
        examples=(
            ("python3 a.py; ls", '  File "a.py", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax'),
        ),
        last_words=True,
    ),
    complaint(
        "pytest", _TESTED_PYTHON,
        r"=+ (?:.*\b[1-9]\d* (?:failed|errors?)\b.*) in [\d.:]+ ?s.*=+$",
        r"=+ (?:FAILURES|ERRORS) =+$",
        r"[1-9]\d* (?:failed|errors?)\b(?:, \d+ \w+)* in [\d.]+s\b.*", "ERROR: (?:file or directory )?not found: .*",
        "ERROR: usage: .*", r"No data to report\.$",
        r"E {3}(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception): .*",
        source="pytest documentation, exit codes and summary",
        examples=(("pytest; ls", "=== 2 failed, 3 passed in 0.31s ==="), ("pytest -q; ls", "1 failed in 0.1s")),
    ),
    complaint(
        "unittest", f"{_TESTED_PYTHON} doctest",
        r"FAILED \((?:failures|errors|unexpected successes)=\d{1,6}\b.*\)$",
        r"\*\*\*Test Failed\*\*\* [1-9]\d* failures?\.$",
        source="unittest.TextTestRunner, doctest",
        examples=(("python -m unittest; ls", "FAILED (failures=1)"),),
    ),
    complaint(
        "argparse", _PYTHONS,
        r"(?![A-Z])[\w./+-]+: error: .*",
        source="argparse, ArgumentParser.error; a capital opens a heading, as of a mail, and no program's name",
        examples=(("python cli.py | tail", "cli.py: error: the following arguments are required: --name"),),
    ),
    complaint(
        "django", f"{_PYTHONS} manage.py django-admin",
        r"(?:Unknown command: '.*|CommandError: .*|SystemCheckError: .*)",
        source="django.core.management",
        examples=(("python manage.py nothing; ls", "Unknown command: 'nothing'\nType 'manage.py help' for usage."),),
    ),
    complaint(
        "sphinx", "sphinx-build",
        r"(?:Application|Extension|Configuration|Theme|Handler) error!?:?$", r"Encoding error[!:].*",
        source="sphinx.errors",
        examples=(("sphinx-build a b | tail -40", "Application error!"),),
    ),
    complaint(
        "tox", "tox nox",
        r"ROOT: \w+Error\| .*", r"nox > (?:Failed to|Error|Session \S+ failed).*", r"  \S+: FAIL code \d+.*",
        source="tox and nox, console output",
        examples=(("nox -s lint | tail", "nox > Failed to load Noxfile noxfile.py, no such file exists."),),
    ),
    complaint(
        "json_tool", "json.tool",
        r"(?:Expecting|Extra data|Invalid|Unterminated) .*line \d+ column \d+.*",
        source="json.tool",
        examples=(("python -m json.tool a | head", "Expecting value: line 2 column 1 (char 35)"),),
    ),
    complaint(
        "pip", "pip pip3 uv pipx poetry conda",
        "ERROR: .*", "error: .*", "  × .*", r"WARNING: Package\(s\) not found: .*",
        source="pip user guide",
        examples=(("pip install -q nothing; ls", "ERROR: No matching distribution found for nothing"),),
    ),
    complaint(
        "linter_crash", "pylint ruff flake8 mypy black isort bandit yamllint shellcheck",
        r"(?:\w+: )?error: (?!.*\[[\w-]+\]$).*", "mypy: .*", r"\S+:1:0: F\d{4}: .*", ".*: No such file or directory.*",
        ".*: openBinaryFile: .*", r"\[Errno \d+\] .*", "There was a critical error .*",
        source="the programs' pages on exit codes",
        examples=(("ruff check --none | tail", "error: unexpected argument '--none' found"),),
    ),
    # --- JavaScript ---
    complaint(
        "node", "node nodejs npm npx yarn pnpm tsx",
        r"(?:Uncaught )?(?P<why>\w*Error(?: \[\w+\])?: .*)\n(?:.*\n){0,60}Node\.js v\d+", "node:internal/.*",
        r"Node\.js v\d+\.\d+\.\d+$", "FATAL ERROR: .{1,200} JavaScript heap out of memory$",
        r"(?:file://)?/\S+\.[cm]?js:\d+\n.*\n[ \t]+\^+\n\n(?:Uncaught )?\w*Error\b.*",
        source="Node.js documentation, Errors",
        examples=(
            ("node a.js | tail", "ReferenceError: a is not defined\n    at a.js:1:1\n\nNode.js v20.1.0"),
            ("node a.js | head", "/srv/a.js:3\na.b;\n  ^\n\nTypeError: a is undefined\n    at /srv/a.js:3:2"),
        ),
    ),
    complaint(
        "node_test", "node npm npx yarn pnpm",
        r"(?:#|ℹ) fail [1-9]\d*$", r"Could not find '[^'\n]+'$",
        source="Node.js documentation, test runner, TAP and spec reporters",
        examples=(("node --test; ls", "# fail 1"),),
    ),
    complaint(
        "npm", "npm npx yarn pnpm",
        "npm (?:ERR!|error) .*", r" ?\[?(?:ERR_PNPM_|ELIFECYCLE\]? ).*", "error Command failed .*",
        "error Couldn't find .*",
        source="npm documentation, logging",
        examples=(("npm install x | tail", "npm ERR! code E404"),),
    ),
    complaint(
        "js_tests", "jest mocha vitest npm npx yarn pnpm node",
        r"Tests:\s+[1-9]\d* failed.*", r" +[1-9]\d* failing$", r"Test Suites: [1-9]\d* failed.*",
        r" *Tests +[1-9]\d* failed.*",
        r"No test(?: file)?s found\b.*", r" +at Context\.<anonymous> .*",
        source="Jest and Mocha reporters",
        examples=(("npx jest; ls", "Tests:       1 failed, 3 passed"), ("mocha; ls", "  1 failing")),
    ),
    complaint(
        "eslint", "eslint npx stylelint",
        "(?:Oops! Something went wrong.*|No files matching .*|Error: .*|\\w+Error: .*\\n    at .*|ESLint couldn't .*)",
        source="ESLint command line, exit codes",
        examples=(("npx eslint none | tail", "No files matching the pattern 'none' were found."),),
    ),
)  # fmt: skip
