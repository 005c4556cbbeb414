"""The project in which the programs of `hard_noise.py` run."""

from __future__ import annotations

SETUP = r"""
git init -q -b main . && git config user.email dev@example.org && git config user.name Dev
git add notes.md && git commit -q -m "Fix error: crash when login failed"
git checkout -q -b fix-error && git commit -q --allow-empty -m "fatal: not so" && echo more > more.md && git add more.md
git commit -q -m "Error texts" && git checkout -q -b conflicting main && echo other > notes.md && git commit -qam other
git checkout -q main && echo mine >> notes.md && git commit -qam "mine: no error"
sqlite3 states.db "create table job(id, state, error); insert into job values (1, 'failed', 'Timeout'), (2, 'ok', '')"
"""

FILES = {
    "notes.md": "# Errors\n\nerror: failed to parse is what the parser says.\n",
    "logs/app.log": "10:00:02 ERROR connection refused\n10:00:04 ERROR timed out\n",
    "errors/error.txt": "error: failed\n",
    "errors/failed.log": "Traceback (most recent call last):\nKeyError: 'id'\n",
    "list.json": "[1, 2]\n",
    "states.csv": "id,state,error\n1,failed,Timeout\n2,error,KeyError: id\n3,ok,\n",
    "caught.py": (
        "import traceback\nfor value in ('1', 'x', '3'):\n    try:\n        print('read', int(value))\n"
        "    except ValueError:\n        traceback.print_exc()\nprint('2 of 3 read')\n"
    ),
    "caught_last.py": (
        "import traceback\n\ndef load(value):\n    try:\n        return int(value)\n    except ValueError:\n"
        "        traceback.print_exc()\n        return 0\n\nprint('loading')\nload('x')\n"
    ),
    "logs.py": (
        "import logging\nlogging.basicConfig(level=logging.INFO)\nlog = logging.getLogger('shop')\n"
        "log.info('starting')\ntry:\n    {}['id']\nexcept KeyError:\n    log.exception('no id, the default is taken')\n"
        "log.error('Failed to reach cache, going on without')\nlog.info('finished')\n"
    ),
    "retries.py": (
        "import sys\nfor attempt in (1, 2, 3):\n    if attempt < 3:\n"
        "        print(f'Error: connection refused (attempt {attempt} of 3)', file=sys.stderr)\n"
        "    else:\n        print('connected')\n"
    ),
    "refuses.py": (
        "cases = {'': 'ValueError: empty', 'a b': 'ValueError: blank', '1': None}\nfor case, wanted in cases.items():\n"
        "    print(repr(case), '->', wanted or 'fine')\nprint('ValueError: as it should be')\n"
    ),
    "deprecated.py": (
        "import warnings\nwarnings.warn('load() failed to keep up: use read()', DeprecationWarning)\nprint('read')\n"
    ),
    "dry_run.py": (
        "print('would delete errors/error.txt')\nprint('would fail: 0')\nprint('Error budget: 99.9 %')\n"
        "print('dry run: nothing was done')\n"
    ),
    "test_errors.py": (
        "import logging\nimport unittest\n\nclass TestErrors(unittest.TestCase):\n    def test_error_when_failed(self):\n"
        "        logging.error('Failed to open: no such file')\n    def test_fatal_exception(self):\n"
        "        with self.assertRaises(ValueError):\n            int('x')\n"
    ),
    "test_expected.py": (
        "import unittest\n\nclass TestExpected(unittest.TestCase):\n    @unittest.expectedFailure\n"
        "    def test_fails(self):\n        self.fail('error')\n    @unittest.skip('fails on error')\n"
        "    def test_skipped(self):\n        pass\n"
    ),
    "test_fails.py": (
        "import unittest\n\nclass TestFails(unittest.TestCase):\n    def test_sum(self):\n"
        "        self.assertEqual(1 + 1, 3)\n    def test_fine(self):\n        pass\n"
    ),
    "doc_errors.py": (
        '"""\n>>> int("x")\nTraceback (most recent call last):\n    ...\n'
        "ValueError: invalid literal for int() with base 10: 'x'\n\"\"\"\n"
    ),
    "doc_fails.py": '"""\n>>> 1 + 1\n3\n"""\n',
    "caught_then_raises.py": (
        "import traceback\ntry:\n    int('x')\nexcept ValueError:\n    traceback.print_exc()\nprint('going on')\n{}['id']\n"
    ),
    "gives_up.py": "import sys\nprint('reading plan')\nsys.exit('gives_up: plan.toml: no section [build]')\n",
    "caught.js": (
        "for (const text of ['{}', '{', '[]']) {\n  try { JSON.parse(text); console.log('read', text); }\n"
        "  catch (error) { console.error(error); }\n}\nconsole.log('2 of 3 read');\n"
    ),
    "caught_last.js": (
        "console.log('reading');\ntry { null.id } catch (error) { console.log('caught, the default is taken:');"
        " console.log(error.stack) }\n"
    ),
    "caught_then_raises.js": (
        "try { JSON.parse('{') } catch (error) { console.error(error.message) }\nconsole.log('going on');\nnull.id;\n"
    ),
    "errors.test.js": (
        "const test = require('node:test'); const assert = require('node:assert');\n"
        "test('error: failed to parse is thrown', () => assert.throws(() => JSON.parse('{')));\n"
        "test('fatal error', { todo: true }, () => { throw new Error('not yet') });\n"
    ),
    "fails.test.js": (
        "const test = require('node:test'); const assert = require('node:assert');\n"
        "test('sum', () => assert.equal(1 + 1, 3));\n"
    ),
    "errors.mocha.js": (
        "describe('errors', () => { it('fails with Error: no id', () => {}); it('1 failing case is reported', () => {});\n"
        "  it('pending error') });\n"
    ),
    "fails.mocha.js": (
        "describe('sum', () => { it('adds', () => { require('assert').equal(1 + 1, 3) }); it('works', () => {}) });\n"
    ),
    "package.json": '{"name": "errors", "version": "1.0.0", "files": ["errors"]}\n',
    "rescued.rb": (
        "['1', 'x'].each do |value|\n  begin\n    puts Integer(value)\n  rescue ArgumentError => error\n"
        "    warn error.full_message(highlight: false)\n  end\nend\nputs '1 of 2 read'\n"
    ),
    "rescued_then_raises.rb": (
        "begin\n  Integer('x')\nrescue ArgumentError => error\n  warn error.message\nend\nputs 'going on'\n{}.fetch(:id)\n"
    ),
    "errors_test.rb": (
        "require 'minitest/autorun'\nclass TestErrors < Minitest::Test\n  def test_error_failure\n"
        "    assert_raises(ArgumentError) { Integer('x') }\n    warn 'Error: failed as wanted'\n  end\nend\n"
    ),
    "warns.rb": "unused = 1\nputs 'errors: none'\nwarn 'cannot find cache, going on without'\n",
    "errors.rake": "task default: [:error]\ntask(:error) { puts 'error: 0'; puts 'failed: none' }\n",
    "warns.pl": "use warnings;\nmy $x;\nprint 'value ' . $x . \"\\n\";\nwarn 'cannot find cache';\nprint \"read 3 rows\\n\";\n",
    "evals.pl": (
        "eval { die \"no plan\\n\" };\nprint \"caught: $@\";\neval { die { code => 2 } };\nprint \"Error: handled\\n\" if $@;\n"
        "print \"2 tried\\n\";\n"
    ),
    "warns_then_dies.pl": "use warnings;\nmy $x;\nprint 'value ' . $x . \"\\n\";\ndie 'cannot open plan';\n",
    "errors.t": (
        "use Test::More tests => 2;\nok(1, 'error: failed to parse is reported');\nTODO: { local $TODO = 'no yet';\n"
        "ok(0, 'fatal error'); }\n"
    ),
    "notices.php": "<?php\n$a = [];\necho $a['id'] ?? 'none', \"\\n\";\necho @$a['x'];\ntrigger_error('cannot find cache', E_USER_WARNING);\necho \"3 rows\\n\";\n",
    "notices_then_fatal.php": "<?php\ntrigger_error('cannot find cache', E_USER_NOTICE);\nthrow new RuntimeException('no plan');\n",
    "caught.php": "<?php\ntry { intdiv(1, 0); } catch (DivisionByZeroError $e) { echo get_class($e), ': ', $e, \"\\n\"; }\necho \"went on\\n\";\n",
    "Caught.java": (
        "public class Caught { public static void main(String[] a) {\n  System.out.println(\"reading\");\n"
        "  try { Integer.parseInt(\"x\"); } catch (NumberFormatException e) { e.printStackTrace(); }\n"
        "  System.out.println(\"2 of 3 read\"); } }\n"
    ),
    "Logs.java": (
        "import java.util.logging.*;\npublic class Logs { public static void main(String[] a) {\n"
        "  Logger log = Logger.getLogger(\"shop\"); log.severe(\"Failed to reach cache, going on without\");\n"
        "  log.log(Level.WARNING, \"ignored\", new IllegalStateException(\"no cache\")); log.info(\"done\"); } }\n"
    ),
    "CaughtThenThrown.java": (
        "public class CaughtThenThrown { public static void main(String[] a) {\n"
        "  try { Integer.parseInt(\"x\"); } catch (NumberFormatException e) { e.printStackTrace(); }\n"
        "  System.out.println(\"going on\"); throw new IllegalStateException(\"no plan\"); } }\n"
    ),
    "Warns.java": (
        "import java.util.*;\npublic class Warns { List errors() { Thread.currentThread().stop(); return new ArrayList(); } }\n"
    ),
    "Bad.java": "public class Bad { int f() { return nothing; } }\n",
    "warns.c": "#include <stdio.h>\nstatic int error(int failed) { return 0; }\nint main(int c, char **v) { int x; printf(\"%d\\n\", c); return 0; }\n",
    "warns_and_fails.c": "#include <stdio.h>\nint main(int c, char **v) { int x; printf(\"%d\\n\", nothing); return 0; }\n",
    "errors.c": "#include <stdio.h>\n#include <errno.h>\nint main(void) { errno = ENOENT; perror(\"cache\"); puts(\"errors: 0\"); puts(\"failed: 0\"); return 0; }\n",
    "ignored.mk": "all:\n\t-false\n\t-rm nothing_here\n\t@echo built\n",
    "tries.mk": "all:\n\t@rm nothing_here 2>/dev/null || echo 'no error: nothing to remove'\n\t@echo 'make: error handling is built'\n",
    "ignored_then_fails.mk": "all:\n\t-false\n\tcp nothing_here there\n",
    "probing/CMakeLists.txt": (
        "cmake_minimum_required(VERSION 3.10)\nproject(errors C)\ninclude(CheckFunctionExists)\n"
        "include(CheckIncludeFile)\ncheck_function_exists(nothing_here HAVE_NOTHING)\n"
        "check_include_file(nothing_here.h HAVE_NOTHING_H)\nfind_package(NothingHere)\nmessage(WARNING \"error pages are off\")\n"
        "enable_testing()\nadd_test(NAME error_fails COMMAND false)\n"
        "set_tests_properties(error_fails PROPERTIES WILL_FAIL TRUE)\nadd_test(NAME failed_login COMMAND true)\n"
    ),
    "missing/CMakeLists.txt": (
        "cmake_minimum_required(VERSION 3.10)\nproject(errors C)\ninclude(CheckIncludeFile)\n"
        "check_include_file(nothing_here.h HAVE_NOTHING_H)\nfind_package(NothingHere REQUIRED)\n"
    ),
    "warns.ninja": "rule cc\n  command = gcc -Wall -Wextra -c $in -o $out\nbuild warns.o: cc warns.c\n",
    "crate/Cargo.toml": '[package]\nname = "errors"\nversion = "0.1.0"\nedition = "2021"\n',
    "crate/src/lib.rs": (
        "fn unused_error() {}\n#[test]\nfn error_is_failed() { let _ = std::panic::catch_unwind(|| panic!(\"caught\")); }\n"
        "#[test]\n#[should_panic]\nfn panics_with_error() { panic!(\"failed as wanted\") }\n"
    ),
    "badcrate/Cargo.toml": '[package]\nname = "bad"\nversion = "0.1.0"\nedition = "2021"\n',
    "badcrate/src/lib.rs": "fn unused_error() {}\npub fn f() -> i32 { \"x\" }\n",
    "warns.rs": "fn unused_error() {}\nfn main() { println!(\"error: none\"); eprintln!(\"cannot find cache, going on\"); }\n",
    "bad.rs": "fn unused() {}\nfn main() { let s = String::new(); drop(s); println!(\"{s}\"); }\n",
    "Warns.hs": "module Main where\nimport Data.List\nerrorFailed x = x\nmain = putStrLn \"errors: 0\"\n",
    "Bad.hs": "module Main where\nimport Data.List\nmain :: IO ()\nmain = putStrLn 3\n",
    "caught.ml": "let () = try ignore (int_of_string \"x\") with Failure why -> Printf.printf \"Failure: %s, caught\\n\" why\nlet () = print_endline \"went on\"\n",
    "uncaught.ml": "let () = print_endline \"starting, errors: 0\"\nlet () = ignore (int_of_string \"x\")\n",
    "caught.scm": "(catch #t (lambda () (error \"no plan\")) (lambda (key . rest) (format #t \"caught: ~a ~a\\n\" key rest)))\n(display \"went on\\n\")\n",
    "uncaught.scm": "(display \"errors: 0\\n\")\n(error \"no plan for\" 'today)\n",
    "warns.lisp": "(defun f (x) (+ 1 y-unknown))\n(handler-case (error \"no plan\") (error (e) (format t \"caught: ~a~%\" e)))\n(format t \"went on~%\")\n",
    "caught.pl": "main :- catch(atom_length(_, _), Error, (print_message(error, Error))), writeln('went on').\n",
    "warns.R": "x <- as.numeric('x')\nwarning('failed to find cache, going on')\ncat('3 rows\\n')\n",
    "caught.R": "value <- tryCatch(stop('no plan'), error = function(e) { print(e); 0 })\ntry(log('x'))\ncat('went on with', value, '\\n')\n",
    "warns_then_stops.R": "x <- as.numeric('x')\ntry(log('x'))\nstop('no plan')\n",
    "caught.lua": "print(pcall(function() error('no plan') end))\nio.stderr:write('error: handled\\n')\nprint('went on')\n",
    "caught_then_raises.lua": "print(pcall(function() error('handled') end))\nprint('going on')\nlocal t = nil\nprint(t.id)\n",
    "caught.tcl": "if {[catch {expr {1/0}} why]} { puts \"caught: $why\"; puts $::errorInfo }\nputs {went on}\n",
    "caught_then_raises.tcl": "catch {expr {1/0}} why\nputs \"caught: $why\"\nopen nothing_here\n",
    "caught.escript": (
        "#!/usr/bin/env escript\nmain(_) -> try list_to_integer(\"x\") catch Class:Why -> "
        "io:format(\"caught ~p: ~p~n\", [Class, Why]) end, io:format(\"went on~n\").\n"
    ),
    "warns.pas": "program warns;\nvar error: integer; failed: string;\nbegin\n  writeln('errors: ', error);\nend.\n",
    "warns.cs": (
        "using System;\nclass W { static int error; static void Main() { int unused; try { throw new Exception(\"no plan\"); }\n"
        "catch (Exception e) { Console.WriteLine(e); } Console.WriteLine(\"went on\"); } }\n"
    ),
    "good.xml": "<errors><error code='1'>failed &nbsp; here</error></errors>\n",
    "warns.yaml": "error: failed\nfatal:   true\n",
    "warns.md": "# Errors\n\n![no picture](nothing.png)\n\n[gone][nothing]\n\nError: failed is a word.\n",
    "warns.adoc": "= Errors\n\n=== Too deep\n\nSee <<nothing>>.\n\nERROR: failed is a word.\n",
    "warns.rst": "Errors\n===\n\nERROR: failed is a word.\n",
    "ignored.yml": (
        "- hosts: all\n  connection: local\n  gather_facts: false\n  tasks:\n    - name: fails, no matter\n"
        "      command: 'false'\n      ignore_errors: true\n    - name: error handled\n      block:\n"
        "        - fail: {msg: 'no plan'}\n      rescue:\n        - debug: {msg: 'failed, rescued'}\n"
    ),
    "ignored_then_fails.yml": (
        "- hosts: all\n  connection: local\n  gather_facts: false\n  tasks:\n    - name: fails, no matter\n"
        "      command: 'false'\n      ignore_errors: true\n    - name: fails\n      fail: {msg: 'no plan'}\n"
    ),
    "tf/main.tf": 'variable "error" {\n  default = "failed"\n}\n',
    "badtf/main.tf": 'variable "error" {\n  default = \n',
    "composer.json": '{"name": "dev/errors", "description": "Errors", "license": "MIT", "require": {"php": "*"}}\n',
    "badphp/composer.json": '{"name": "dev/errors",\n',
    "warns_nginx.conf": (
        "user nobody;\npid nginx.pid;\nerror_log logs/error.log;\nevents {}\n"
        "http { access_log off; server { listen 18098; ssl_stapling on; error_page 404 /e; } }\n"
    ),
    "bad_nginx.conf": "pid nginx.pid;\nerror_log logs/error.log;\nevents {}\nhttp { nothing here; }\n",
    "good_dnsmasq.conf": "port=0\n",
    "errors.sh": "#!/bin/sh\necho 'error: none'\nfalse || echo 'failed: 0'\n",
    "errors.bats": "@test 'error: failed is reported' { true; }\n@test 'fatal' { skip 'not ok here'; }\n",
    "fails.bats": "@test 'sum' { [ $((1 + 1)) -eq 3 ]; }\n@test 'fine' { true; }\n",
    "checks.sh": (
        "for each in git frobnicate-not jq; do\n  if command -v $each > /dev/null; then echo \"$each: found\";"
        " else echo \"$each: not found (optional)\"; fi\ndone\necho '0 errors, 1 warning'\n"
    ),
    "waits.sh": (
        "for try in 1 2; do\n  curl -sS http://127.0.0.1:9/ && break\n  echo \"try $try failed, again\"\ndone\n"
        "curl -sS http://127.0.0.1:18099/status.json\n"
    ),
    "fallback.sh": "cat nothing_here || echo default\nls errors\n",
    "stops.sh": "set -e\necho 'error: none so far'\ncp nothing_here there\necho never\n",
    "configure.ac": (
        "AC_INIT([errors], [1])\nAC_PROG_CC\nAC_CHECK_HEADERS([nothing_here.h error.h])\nAC_CHECK_FUNCS([nothing_here])\n"
        "AC_MSG_WARN([error pages are off])\nAC_OUTPUT\n"
    ),
    "configure_fails": (
        "echo 'checking for gcc... gcc'\necho 'checking for error.h... yes'\n"
        "echo 'configure: error: libnothing is needed' >&2\nexit 1\n"
    ),
    "report.awk": "/ERROR/ { n++ }\nEND { print n \" errors\"; print \"Error: \" n \" found\" }\n",
    "warns.y": "%token A\n%%\nerrors: A | A ;\nunused: A error ;\n",
    "bad.y": "%%\nerrors: A | ;\n",
    "unused.proto": 'syntax = "proto3";\nimport "google/protobuf/empty.proto";\nmessage Error { string failed = 1; }\n',
    "good.po": 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "error"\nmsgstr "Fehler"\n\n#, fuzzy\nmsgid "failed"\nmsgstr "x"\n',
    "bad.po": 'msgid "error"\nmsgstr "Fehler\n',
    "good.journal": "2024-01-01 error fee\n  expenses:failed  5\n  assets\n",
    "warns.v": 'module main; wire error; initial begin $display("ERROR: none, failed: 0"); $finish; end endmodule\n',
    "bad.v": "module main; nothing here(1); endmodule\n",
}  # fmt: skip
