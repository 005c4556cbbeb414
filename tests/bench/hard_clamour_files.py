"""The project in which the programs of `hard_clamour.py` run."""

from __future__ import annotations

SETUP = r"""
git init -q -b main . && git config user.email dev@example.org && git config user.name Dev
git add notes.md && git commit -q -m "Fix error: crash when login failed"
git add logs && git commit -q -m "fatal: not so" && (stestr --version || true)
"""

_LOG = (
    "2024-03-01 10:00:00 INFO starting\n2024-03-01 10:00:02 ERROR connection refused by 10.0.0.7:5432\n"
    "2024-03-01 10:00:03 WARN retrying in 2 s\n2024-03-01 10:00:05 INFO connected\n"
    "2024-03-01 10:00:09 ERROR job 17 failed: timed out\n"
)
_DEPLOY = (
    "==> building\nmake: *** [Makefile:12: image] Error 2\n==> rolling back\nTraceback (most recent call last):\n"
    '  File "/srv/deploy.py", line 40, in <module>\n    main()\nRuntimeError: image is missing\nnpm ERR! code ELIFECYCLE\n'
    "deploy: fatal: could not continue\n"
)
_VI = "import { expect, test } from 'vitest';\ntest('error: failed to parse is thrown', () => expect(() => JSON.parse('{')).toThrow());\n"
_NIM = 'proc load(s: string): int =\n  if s == "x": raise newException(ValueError, "no plan for " & s)\n  3\n'
_MIX = (
    'ExUnit.start()\ndefmodule ErrorsTest do\n  use ExUnit.Case\n  require Logger\n  test "failed login is an error" do\n'
    '    IO.puts(:stderr, "[error] login failed")\n    assert_raise ArgumentError, fn -> String.to_integer("x") end\n  end\n'
)
_TOOL = "#!/bin/sh\ncase $1 in --version) echo 'tool 1.0';; *) printf 'Usage: tool [OPTION]\\nExit with 1 on error.\\n\\n  --force  ignore errors\\n';; esac\n"
_TASKS = "from invoke import task\n@task\ndef build(c):\n"
_YOSYS = "module unused(input a, input b, output c); wire error; assign c = a; endmodule\n"
_PASSES = "#!/bin/sh\necho 'error: none, failed: 0'\n"

FILES = {
    "notes.md": "# Errors\n\nerror: failed to parse is what the parser says.\n\n    Traceback (most recent call last):\n",
    "logs/app.log": _LOG,
    "logs/deploy.log": _DEPLOY,
    "logs/access.log": '127.0.0.1 - - [01/Mar/2024:10:00:00 +0000] "GET /error HTTP/1.1" 500 12 "-" "curl/8"\n' * 5,
    "logs/run.tap": "1..2\nok 1 - error: failed is reported\nnot ok 2 - fatal # TODO later\n",
    "json/result.json": '{"errors": [], "failed": 0, "error": null, "status": "ok", "warnings": ["no such cache"]}\n',
    "nim/caught.nim": _NIM + 'try: echo load("x")\nexcept ValueError as e: stderr.writeLine "Error: ", e.msg\necho "went on"\n',
    "nim/raises.nim": _NIM + 'try: echo load("x")\nexcept ValueError as e: echo "caught: ", e.msg\necho load("x")\n',
    "nim/bad.nim": 'let count: int = "three"\n',
    "cr/rescued.cr": 'begin\n  raise "no plan"\nrescue error\n  STDERR.puts "Error: #{error.message}"\nend\nputs "went on"\n',
    "cr/bad.cr": 'count : Int32 = "three"\nputs count\n',
    "ex/rescued.exs": 'try do\n  raise "no plan"\nrescue\n  e -> IO.puts(:stderr, Exception.format(:error, e, __STACKTRACE__))\nend\nIO.puts("went on")\n',
    "ex/raises.exs": 'try do\n  raise "handled"\nrescue\n  e -> IO.puts(Exception.message(e))\nend\nMap.fetch!(%{}, :id)\n',
    "ex/passes.exs": _MIX + "end\n",
    "ex/fails.exs": _MIX + "  test \"sum\" do\n    assert 1 + 1 == 3\n  end\nend\n",
    "mixed/mix.exs": "defmodule Mixed.MixProject do\n  use Mix.Project\n  def project, do: [app: :mixed, version: \"0.1.0\"]\nend\n",
    "mixed/lib/mixed.ex": "defmodule Mixed do\n  def error(unused), do: :failed\nend\n",
    "mixed/test/test_helper.exs": "ExUnit.start()\n",
    "mixed/test/mixed_test.exs": _MIX.replace("ExUnit.start()\n", "") + "end\n",
    "ada/warns.adb": 'with Ada.Text_IO; procedure Warns is Error : Integer; begin Ada.Text_IO.Put_Line ("errors: 0"); end Warns;\n',
    "ada/handled.adb": (
        "with Ada.Text_IO; use Ada.Text_IO; with Ada.Exceptions; procedure Handled is begin\n"
        '  begin raise Constraint_Error with "no plan"; exception when E : others =>\n'
        '    Put_Line (Standard_Error, Ada.Exceptions.Exception_Information (E)); end;\n  Put_Line ("went on"); end Handled;\n'
    ),
    "ada/bad.adb": "procedure Bad is begin Nothing_Here; end Bad;\n",
    "cob/prints.cob": (
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. PRINTS.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n"
        "       01 UNUSED-ERROR PIC 9.\n       PROCEDURE DIVISION.\n           DISPLAY 'ERRORS: 0'.\n           STOP RUN.\n"
    ),
    "cob/bad.cob": (
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. BAD.\n       PROCEDURE DIVISION.\n           MOVE 1 TO NOTHING.\n"
        "           STOP RUN.\n"
    ),
    "fs/caught.fs": ': boom -13 throw ;\n\' boom catch ." caught error " . cr\n." went on" cr\n',
    "fs/bad.fs": '." errors: 0" cr\nnothing-here\n',
    "rkt/handled.rkt": '#lang racket/base\n(with-handlers ([exn:fail? (lambda (e) ((error-display-handler) (exn-message e) e))]) (error "no plan"))\n(displayln "went on")\n',
    "rkt/raises.rkt": '#lang racket/base\n(with-handlers ([exn:fail? (lambda (e) (displayln (exn-message e)))]) (error "handled"))\n(hash-ref (hash) \'id)\n',
    "sml/handled.sml": 'val _ = (raise Fail "no plan") handle Fail why => print ("Exception- Fail \\"" ^ why ^ "\\" handled\\n");\nprint "went on\\n";\n',
    "lisp/handled.lisp": '(handler-case (error "no plan") (error (e) (format *error-output* "Error: ~a~%" e)))\n(format t "went on~%")\n(quit)\n',
    "lisp/caught.lsp": "(catch (throw-error \"no plan\") 'why)\n(println \"caught: \" why)\n(exit)\n",
    "lisp/caught.l": '(println (catch \'("No such") (throw "No such")))\n(prinl "went on, errors: 0")\n(bye)\n',
    "scm/guarded.ss": '(guard (e (#t (display "caught: ") (display-condition e) (newline))) (error \'load "no plan"))\n(display "went on\\n")\n',
    "gp/trapped.gp": 'iferr(1/0, E, print("error: ", E));\nprint("went on");\nquit\n',
    "smt/unsat.smt2": "(declare-const error Int)\n(assert (< error 0))\n(assert (> error 0))\n(check-sat)\n",
    "smt/bad.smt2": "(declare-const error Int)\n(assert (< nothing 0))\n(check-sat)\n",
    "lp/infeasible.lp": "Minimize\n error: x\nSubject To\n a: x >= 2\n b: x <= 1\nEnd\n",
    "asp/warns.lp": "failed :- error(X).\nok.\n",
    "vhdl/tb.vhd": (
        "entity tb is end;\narchitecture a of tb is begin\n  process begin\n    report \"error pages: 0\" severity note;\n"
        "    assert false report \"cache failed, going on\" severity warning;\n    wait;\n  end process;\nend;\n"
    ),
    "vhdl/bad.vhd": "entity bad is end;\narchitecture a of bad is begin\n  nothing <= '1';\nend;\n",
    "v/unused.v": _YOSYS,
    "v/bad.v": "module bad(input a, output b); assign b = ; endmodule\n",
    "gr/caught.groovy": 'try { throw new IllegalStateException("no plan") } catch (e) { e.printStackTrace() }\nprintln "went on"\n',
    "gr/raises.groovy": 'try { throw new IllegalStateException("handled") } catch (e) { println e }\nprintln([][3].id)\n',
    "clj/caught.clj": '(try (throw (ex-info "no plan" {})) (catch Exception e (.println *err* (str "ERROR: " (.getMessage e)))))\n(println "went on")\n',
    "clj/raises.clj": '(println "errors: 0")\n(/ 1 0)\n',
    "d/caught.d": 'import std.stdio;\nvoid main() { int unused; try { throw new Exception("no plan"); } catch (Exception e) { stderr.writeln(e.toString()); } writeln("went on"); }\n',
    "d/bad.d": 'import std.stdio;\nvoid main() { int count = "three"; }\n',
    "mcu/warns.c": "int error(int failed) { int unused = 1; return 1 == 0; }\nvoid main(void) { }\n",
    "mcu/bad.c": "void main(void) { nothing = 1; }\n",
    "asm/warns.asm": "section .text\nglobal error\nfailed\nerror: ret\n",
    "asm/bad.asm": "section .text\nerror: mov nothing here\n",
    "coffee/caught.coffee": "try\n  JSON.parse '{'\ncatch error\n  console.error error.stack\nconsole.log 'went on'\n",
    "coffee/raises.coffee": "try\n  JSON.parse '{'\ncatch error\n  console.error error.message\nnull.id\n",
    "hy/caught.hy": '(import traceback)\n(try (int "x") (except [e ValueError] (traceback.print_exc)))\n(print "went on")\n',
    "hy/raises.hy": '(try (int "x") (except [e ValueError] (print "caught:" e)))\n(get {} "id")\n',
    "xsh/caught.xsh": "try:\n    int('x')\nexcept ValueError as e:\n    print('ValueError:', e)\necho went on\n",
    "zig/caught.zig": 'const std = @import("std");\nfn load() !u32 { return error.NoPlan; }\npub fn main() void { const v = load() catch |e| blk: { std.debug.print("error: {}\\n", .{e}); break :blk 0; }; std.debug.print("went on {}\\n", .{v}); }\n',
    "awk/report.awk": '/ERROR/ { errors++; print "ERROR seen: " $0 }\nEND { print "errors: " errors ", failed: 0" }\n',
    "suite/test_errors.py": (
        "import logging\nimport unittest\n\nclass TestErrors(unittest.TestCase):\n    def test_error_when_failed(self):\n"
        "        logging.error('Failed to open: no such file')\n    def test_fatal_exception(self):\n"
        "        with self.assertRaises(ValueError):\n            int('x')\n    @unittest.expectedFailure\n"
        "    def test_known(self):\n        self.fail('error')\n"
    ),
    "suite/__init__.py": "",
    "bad_suite/__init__.py": "",
    "bad_suite/test_bad.py": "import unittest\n\nclass TestBad(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(1 + 1, 3)\n    def test_fine(self):\n        pass\n",
    "ward/test_errors.py": "from ward import test, raises\n@test('error: failed to parse is raised')\ndef _():\n    with raises(ValueError):\n        int('x')\n",
    "bad_ward/test_bad.py": "from ward import test\n@test('sum')\ndef _():\n    assert 1 + 1 == 3\n",
    "cram/errors.t": "Errors:\n\n  $ echo 'error: failed'\n  error: failed\n  $ false\n  [1]\n",
    "cram/bad.t": "Sum:\n\n  $ echo $((1 + 1))\n  3\n",
    "passes.sh": _PASSES,
    "js/errors.ava.mjs": "import test from 'ava';\ntest('error: failed to parse is thrown', t => { t.throws(() => JSON.parse('{')); });\ntest.failing('fatal', t => { t.fail(); });\n",
    "js/bad.ava.mjs": "import test from 'ava';\ntest('sum', t => { t.is(1 + 1, 3); });\n",
    "js/errors.tap.js": "const test = require('node:test');\ntest('error: fails as wanted', { todo: true }, () => { throw new Error('not yet') });\ntest('fatal: 0', () => {});\n",
    "vi/errors.test.js": _VI,
    "bad_vi/bad.test.js": "import { expect, test } from 'vitest';\ntest('sum', () => expect(1 + 1).toBe(3));\n",
    "js/errors.spec.js": "describe('errors', () => { it('fails with Error: no id', () => { expect(() => { throw new Error('no id') }).toThrow(); }); xit('fatal', () => {}); });\n",
    "js/bad.spec.js": "describe('sum', () => { it('adds', () => { expect(1 + 1).toBe(3); }); });\n",
    "sh/errors_shunit.sh": "testErrorFails() { assertFalse 'error is told' '[ 1 -eq 2 ]'; echo 'error: failed as wanted'; }\n. /usr/bin/shunit2\n",
    "sh/bad_shunit.sh": "testSum() { assertEquals 3 $((1 + 1)); }\n. /usr/bin/shunit2\n",
    "dg/demo.exp": "pass \"error: failed is reported\"\nxfail \"fatal: known\"\nunsupported \"no such locale\"\n",
    "exp/waits.exp": "set timeout 1\nspawn sh -c \"echo 'error: login failed'; sleep 3\"\nexpect { \"welcome\" { puts in } timeout { puts \"timed out, going on\" } }\nputs \"errors: 0\"\n",
    "exp/bad.exp": "puts \"errors: 0\"\nopen nothing_here\n",
    "c/leaks.c": "#include <stdlib.h>\nint error(int failed) { int *p = malloc(4); int x; if (failed) return 1; return *p; }\n",
    "c/fine.c": "int error (int failed)\n{\n  return failed;\n}\n",
    "unc.cfg": "indent_columns=2\n",
    "SConscript_ok": "env = Environment()\nconf = Configure(env)\nconf.CheckCHeader('nothing_here.h')\nenv = conf.Finish()\nenv.Command('o.txt', [], ['-false', 'echo error: handled > $TARGET'])\n",
    "SConscript_bad": "env = Environment()\nenv.Program('p', ['nothing_here.c'])\n",
    "tasks_ok.py": _TASKS + "    c.run('echo \"error: failed once\" >&2; exit 3', warn=True)\n    c.run('echo built, 0 errors')\n",
    "tasks_bad.py": _TASKS + "    c.run('echo \"errors: 0\"')\n    c.run('cp nothing_here there')\n",
    "dodo_ok.py": "def task_build():\n    return {'actions': ['false || true', 'echo error: handled'], 'verbosity': 2}\n",
    "dodo_bad.py": "def task_build():\n    return {'actions': ['echo errors: 0', 'cp nothing_here there'], 'verbosity': 2}\n",
    "just/ok": "build:\n\t-cp nothing_here there\n\t@echo built\n",
    "just/bad": "build:\n\t-false\n\tcp nothing_here there\n",
    "js/warns.js": "const error = 1; const failed = 2; if (typeof error === 'strin') { console.error('fatal'); }\nif (-0 === error) { error == NaN; }\nmodule.exports = { error, failed };\n",
    "js/warns.mjs": "import { join } from 'path';\nconsole.log(this, join('error', 'failed'), eval('1'));\n",
    "js/bad.js": "import nothing from './nothing_here.js';\nconsole.log(nothing);\n",
    "js/bad.mjs": "import nothing from './nothing_here.mjs';\nconsole.log(nothing);\n",
    "less/ok.less": "@error: red;\n.error { color: @error; .failed { color: @error } }\n",
    "less/bad.less": ".error { color: @nothing; }\n",
    "scss/warns.scss": "@warn 'error pages are off';\n.error { width: (10px / 2); @debug 'failed: 0'; }\n",
    "scss/bad.scss": ".error { color: $nothing; }\n",
    "web/good.html": "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Error</title></head><body><p class=\"failed\">error: failed</p></body></html>\n",
    "web/warn.css": "#error { color: red !important; }\n.failed { }\n",
    "web/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>error: failed</title><rect width="9" height="9"/></svg>\n',
    "schema/s.json": '{"type": "object", "required": ["errors"], "properties": {"errors": {"type": "array", "maxItems": 0}}}\n',
    "schema/good.json": '{"errors": [], "failed": 0}\n',
    "schema/bad.json": '{"errors": ["failed"], "failed": 1}\n',
    "sql/ok.sql": "select error, failed from job where status = 'fatal'\n",
    "pp/ok.pp": "notify { 'error: failed': }\nwarning('no such cache, going on')\n",
    "pp/bad.pp": "notify { 'error' \n",
    "money/ok.beancount": 'option "title" "Errors"\n2024-01-01 open Assets:Cash\n2024-01-01 open Expenses:Failed\n2024-01-02 * "error fee"\n  Assets:Cash  -1 EUR\n  Expenses:Failed  1 EUR\n',
    "money/bad.beancount": '2024-01-01 open Assets:Cash\n2024-01-01 open Expenses:Failed\n2024-01-02 * "fee"\n  Assets:Cash  -1 EUR\n  Expenses:Failed  2 EUR\n',
    "money/ok.ledger": "2024/01/02 error fee\n    Expenses:Failed    1 EUR\n    Assets:Cash\n",
    "money/bad.ledger": "2024/01/02 fee\n    Expenses:Failed    1 EUR\n    Assets:Cash    -2 EUR\n",
    "cal/ok.rem": "REM 1 Jan 2030 MSG error budget failed\n",
    "conf/named.conf": "options { directory \"/tmp\"; recursion no; };\nlogging { category default { null; }; };\n",
    "conf/bad_named.conf": "options { nothing here; };\n",
    "conf/zone.db": "$TTL 60\n@ SOA ns error.errors.example. 1 2 3 4 5\n@ NS ns\nns A 127.0.0.1\nfailed CNAME gone.example.\n",
    "conf/bad_zone.db": "$TTL 60\n@ NS ns\nns A 127.0.0.1\n",
    "conf/dovecot.conf": "protocols =\nssl = no\nlog_path = /dev/stderr\n",
    "conf/bad_dovecot.conf": "protocols =\nnothing_here = yes\n",
    "conf/Caddyfile": ":18095 {\n\thandle_errors {\n\t\trespond \"failed\"\n\t}\n}\n",
    "conf/bad_Caddyfile": ":18095 {\n\tnothing_here\n}\n",
    "conf/ok.vcl": "vcl 4.0;\nbackend error { .host = \"127.0.0.1\"; .port = \"9\"; }\nsub vcl_backend_error { return (deliver); }\n",
    "conf/bad.vcl": "vcl 4.0;\nbackend error { .nothing = \"127.0.0.1\"; }\n",
    "conf/squid.conf": "http_port 127.0.0.1:18094\nacl failed src 127.0.0.1\nhttp_access deny failed\n",
    "conf/rsyslog.conf": "*.err /tmp/error.log\n",
    "conf/rsnapshot.conf": "config_version\t1.2\nsnapshot_root\t/tmp/\nretain\talpha\t2\ncmd_rsync\t/usr/bin/rsync\nbackup\t/tmp/\terrors/\n",
    "conf/bad_rsnapshot.conf": "config_version\t1.2\nsnapshot_root /tmp\nnothing here\n",
    "man/error.1": ".TH ERROR 1 2024-01-01\n.SH NAME\nerror \\- tell what failed\n.SH EXIT STATUS\n0 if no error, 1 if failed, 2 on fatal errors:\n.B error: cannot open file\n.SH DIAGNOSTICS\nfatal: no such file or directory\n",
    "rdf/ok.ttl": "@prefix e: <http://example.org/> .\ne:error e:failed e:fatal .\n",
    "rdf/bad.ttl": "@prefix e: <http://example.org/> .\ne:error e:failed .\n",
    "xml/s.rnc": "element errors { element error { text }* }\n",
    "xml/good.xml": "<errors><error>failed</error></errors>\n",
    "xml/bad.xml": "<errors><fatal>failed</fatal></errors>\n",
    "nc/ok.cdl": 'netcdf errors { dimensions: n = 2; variables: int failed(n); failed:error = "none"; data: failed = 0, 0; }\n',
    "nc/bad.cdl": "netcdf errors { dimensions: n = two; }\n",
    "pcre/ok.txt": "/error/\n    failed\n    an error\n",
    "spiders/ok.py": "import scrapy\nclass S(scrapy.Spider):\n    name = 's'\n    start_urls = ['http://127.0.0.1:18099/', 'http://127.0.0.1:18099/gone']\n    def parse(self, response):\n        self.logger.error('no price: failed to parse, skipped')\n        yield {'error': None}\n",
    "sh/tool.sh": _TOOL,
    "sh/retry.sh": "n=0\nuntil [ $n -ge 2 ]; do\n  n=$((n+1)); echo \"attempt $n: curl: (7) Failed to connect\" >&2\ndone\necho 'attempt 3: connected'\ncurl -s http://127.0.0.1:18099/status.json\n",
    "sh/retry_fails.sh": "for n in 1 2; do curl -sS http://127.0.0.1:9/ && exit 0; echo \"attempt $n failed\"; done\necho 'giving up after 2 attempts' >&2\nexit 1\n",
    "sh/health.sh": "echo 'db: ok'; echo 'cache: error (optional, ignored)'; echo 'queue: 0 failed'; echo 'status: healthy'\n",
    "sh/deploy.sh": "[ \"$1\" = --dry-run ] && { echo 'would stop: fail-over'; echo 'would remove: error.log'; echo 'dry run, nothing done'; exit 0; }\necho 'stopping'\ncp nothing_here there || { echo 'deploy: could not copy, rolled back' >&2; exit 4; }\n",
    "sh/cleanup.sh": "rm nothing_here; kill 999999; rmdir gone\necho 'cleaned up'\n",
    "sh/codes.sh": "cat <<'EOF'\nE001  fatal: could not open file\nE002  error: permission denied\nE003  timed out\nEOF\n",
    "sh/counts.sh": "echo \"$(grep -c ERROR logs/app.log) errors in logs/app.log\"\necho \"$(grep -c nothing logs/app.log) failures\"\n",
    "patches/ok.patch": "--- a/notes.md\n+++ b/notes.md\n@@ -1,3 +1,3 @@\n-# Errors\n+# Failures\n \n error: failed to parse is what the parser says.\n",
    "patches/bad.patch": "--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,2 @@\n-# Nothing\n+# There\n \n",
}  # fmt: skip
