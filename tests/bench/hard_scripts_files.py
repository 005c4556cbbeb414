"""The project in which the calls of `hard_scripts.py` run."""

from __future__ import annotations

NATIVE = {
    "native/broken.c": '#include <stdio.h>\n#include "server.h"\nint main(void) { return serve(); }\n',
    "native/templates.cpp": "#include <vector>\nint main() { std::vector<int> v; v.push_back(\"x\"); return v.sized(); }\n",
    "native/hello.c": '#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n  int unused;\n  char *p = malloc(9);\n  puts("hello, 0 errors");\n  free(p);\n  return 0;\n}\n',
    "native/error_handler.cpp": 'struct Failure { int code; };\nint handle(Failure f) { return f.code; }\n',
    "native/bad.asm": "section .text\nglobal _start\n_start:\n  mov eax, [nowhere\n  syscal\n",
    "native/SConstruct": "Program('server', 'broken.c')\n",
    "native/Makefile": "CFLAGS = -Wall -Wextra\nall: server hello\nserver: broken.c\n\t$(CC) -o $@ $<\nhello: hello.c\n\t$(CC) $(CFLAGS) -o $@ $<\n",
    "cmk/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(shop C)\nfind_package(NoSuchLibrary 9 REQUIRED)\nadd_executable(shop main.c)\n",
    "cmkfine/CMakeLists.txt": 'cmake_minimum_required(VERSION 3.10)\nproject(shop C)\ninclude(CheckIncludeFile)\ncheck_include_file("nosuch_header.h" HAVE_NOSUCH)\nfind_package(NoSuchLibrary QUIET)\nmessage(STATUS "NoSuchLibrary not found, building without")\n',
    "nin/build.ninja": "rule cc\n  command = gcc -c $in -o $out\nbuild shop.o: cc shop.c\n",
    "rs/borrow.rs": 'fn main() {\n    let s = String::from("a");\n    let t = s;\n    println!("{} {}", s, t);\n}\n',
    "rs/crate/Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "rs/crate/src/main.rs": "fn total(items: &[u32]) -> u32 { items.iter().sum() }\nfn main() { let t: String = total(&[1]); }\n",
    "rs/fine/Cargo.toml": '[package]\nname = "fine"\nversion = "0.1.0"\nedition = "2021"\n',
    "rs/fine/src/lib.rs": "pub fn tax(n: u32) -> u32 { n / 5 }\n#[test]\nfn rounds() { assert_eq!(tax(11), 3); }\n#[test]\nfn zero() { assert_eq!(tax(0), 0); }\n",
    "rs/solid/Cargo.toml": '[package]\nname = "solid"\nversion = "0.1.0"\nedition = "2021"\n',
    "rs/solid/src/lib.rs": "#[derive(Debug)]\npub struct ParseError;\nfn never_called() {}\npub fn parse(s: &str) -> Result<u8, ParseError> { s.parse().map_err(|_| ParseError) }\n#[test]\nfn error_on_empty() { assert!(parse(\"\").is_err()); }\n#[test]\n#[should_panic]\nfn panics_when_failed() { parse(\"x\").unwrap(); }\n",
    "gomod/go.mod": "module example.org/shop\n\ngo 1.19\n",
    "gomod/main.go": "package main\n\nfunc main() { println(undefinedTotal()) }\n",
    "gomod/wrong/main.go": 'package main\n\nimport "fmt"\n\nfunc main() { var n int = "x"; fmt.Println(n) }\n',
    "gomod/sums/sums.go": "package sums\n\nfunc Sum(a, b int) int { return a - b }\n",
    "gomod/sums/sums_test.go": 'package sums\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif got := Sum(2, 2); got != 4 {\n\t\tt.Fatalf("Sum = %d, want 4", got)\n\t}\n}\n',
    "gomod/fails/fails.go": 'package fails\n\nimport "errors"\n\nvar ErrFailed = errors.New("failed")\n',
    "gomod/fails/fails_test.go": 'package fails\n\nimport "testing"\n\nfunc TestErrFailed(t *testing.T) { t.Log("error:", ErrFailed) }\nfunc TestPanicRecovered(t *testing.T) {\n\tdefer func() { t.Log("recovered:", recover()) }()\n\tpanic("boom")\n}\n',
    "jv/Broken.java": "public class Broken {\n  public static void main(String[] a) { String s = 5; Missing.go(); }\n}\n",
    "jv/Thrower.java": 'public class Thrower {\n  public static void main(String[] a) { load(null); }\n  static void load(String s) { if (s == null) throw new IllegalStateException("no cart for session"); }\n}\n',
    "jv/Caught.java": 'public class Caught {\n  public static void main(String[] a) {\n    try { Integer.parseInt("x"); } catch (NumberFormatException e) { System.out.println("skipped bad row: " + e); }\n    System.out.println("rows loaded: 12");\n  }\n}\n',
    "jv/Raw.java": "import java.util.*;\npublic class Raw {\n  public static void main(String[] a) { List l = new ArrayList(); l.add(1); }\n}\n",
}  # fmt: skip

SCRIPTS = {
    "py/report.py": 'import sys\n\n\ndef month(text):\n    n = int(text)\n    if n > 12:\n        raise ValueError(f"month out of range: {n}")\n    return n\n\n\nif __name__ == "__main__":\n    print("building report")\n    print(month(sys.argv[2]))\n',
    "py/deploy.py": 'import sys\n\n\ndef push(where):\n    if where != "local":\n        raise RuntimeError("deploy failed: registry refused the image")\n\n\ntry:\n    print("==> tagging image")\n    print("==> pushing to", sys.argv[1])\n    push(sys.argv[1])\nexcept RuntimeError as error:\n    print(f"ERROR: {error}", file=sys.stderr)\n    sys.exit(3)\n',
    "py/errors.py": 'class ShopError(Exception):\n    """Base of all errors."""\n\n\nclass PaymentFailed(ShopError):\n    """The bank said no: fatal."""\n\n\nMESSAGES = {"E1": "Error: cart is empty", "E2": "failed to charge the card"}\n',
    "py/test_totals.py": "def total(prices):\n    return sum(prices[1:])\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_empty():\n    assert total([]) == 0\n",
    "py/test_imports.py": "from shop_nowhere import cart\n\n\ndef test_cart():\n    assert cart\n",
    "py/test_unit.py": "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 2)\n\n    def test_b(self):\n        pass\n",
    "py/test_errors.py": 'import pytest\n\n\ndef test_error_is_raised():\n    with pytest.raises(ZeroDivisionError):\n        1 / 0\n\n\n@pytest.mark.parametrize("code", ["failed", "error", "timeout"])\ndef test_failure_codes(code):\n    print("ERROR:", code)\n',
    "py/test_expected.py": 'import pytest\n\n\n@pytest.mark.xfail(reason="known bug: rounding fails")\ndef test_rounds():\n    assert round(2.5) == 3\n\n\ndef test_fine():\n    pass\n',
    "py/test_warns.py": 'import warnings\n\n\ndef test_warns():\n    warnings.warn("old_call() failed to find v2, using v1", DeprecationWarning)\n',
    "py/test_logs.py": 'import logging\nimport unittest\n\n\nclass T(unittest.TestCase):\n    def test_logs_error(self):\n        logging.error("could not connect, will retry")\n\n    @unittest.expectedFailure\n    def test_known(self):\n        self.fail()\n\n    def test_failed_payment_is_reported(self):\n        pass\n',
    "py/retry.py": 'import sys\n\nfor attempt in range(1, 4):\n    if attempt < 3:\n        print(f"attempt {attempt}/3 failed: ConnectionResetError: [Errno 104] Connection reset by peer", file=sys.stderr)\n    else:\n        print(f"attempt {attempt}/3: connected")\nprint("synced 88 rows")\n',
    "py/warns.py": 'import warnings\n\nwarnings.warn("pkg: falling back, native module failed to load", RuntimeWarning)\nprint("total 12.50")\n',
    "py/import_rows.py": 'for n in (4, 9):\n    print(f"row {n}: invalid date, set to null")\nprint("Imported 120 rows, 0 errors, 2 warnings")\n',
    "py/skips.py": 'for name, state in (("a.csv", "ok"), ("b.csv", "skipped (already imported)"), ("c.csv", "ok")):\n    print(f"{name:8}{state}")\nprint("errors: none")\n',
    "py/sync.py": 'import urllib.request\n\nprint("syncing stock levels")\ntry:\n    urllib.request.urlopen("http://127.0.0.1:9/stock", timeout=2)\nexcept OSError as error:\n    print(f"Sync failed: {error}")\n',
    "py/api_call.py": 'import json\n\nprint(json.dumps({"success": False, "error": {"code": "quota_exceeded", "message": "Daily limit reached"}}))\n',
    "py/seed.py": 'import sqlite3\nimport sys\n\nsqlite3.connect("shop.db").execute("insert into customers (name) values (?)", sys.argv[1:])\n',
    "py/server.py": 'import http.server\n\nprint("starting on 18099", flush=True)\nhttp.server.HTTPServer(("127.0.0.1", 18099), http.server.BaseHTTPRequestHandler).serve_forever()\n',
    "py/bad_syntax.py": "def total(rows)\n    return sum(rows)\n",
    "py/bad_name.py": "print(subtotal + 1)\n",
    "js/package.json": '{"name": "shop", "version": "1.0.0", "scripts": {"build": "tsc-nowhere -p .", "test": "node --test ."}}\n',
    "js/app.js": 'const { createServer } = require("./lib/server");\ncreateServer().listen(3000);\n',
    "js/cart.test.js": 'const test = require("node:test");\nconst assert = require("node:assert");\ntest("adds", () => assert.strictEqual(1 + 1, 3));\ntest("empties", () => {});\n',
    "js/upload.js": 'async function upload(file) {\n  try {\n    throw new Error(`EACCES: permission denied, open \'${file}\'`);\n  } catch (error) {\n    console.error("Upload failed:", error.message);\n  }\n}\nupload("/srv/media/cat.png");\n',
    "js/ok/package.json": '{"name": "ok", "version": "1.0.0"}\n',
    "js/ok/errors.test.js": 'const test = require("node:test");\nconst assert = require("node:assert");\ntest("throws an error on a missing key", () => assert.throws(() => { throw new Error("missing key"); }));\ntest("failed login is counted", () => {});\n',
    "js/ok/retry.js": 'const calls = [new Error("ECONNREFUSED"), new Error("ETIMEDOUT"), 200];\nfor (const got of calls) {\n  if (got instanceof Error) console.warn(`request failed (${got.message}), retrying`);\n  else console.log(`status ${got}`);\n}\n',
    "rb/crash.rb": 'def price(row)\n  row.fetch(:price)\nend\n\nputs price({})\n',
    "rb/test_cart.rb": 'require "minitest/autorun"\n\nclass TestCart < Minitest::Test\n  def test_sum\n    assert_equal 3, 1 + 1\n  end\nend\n',
    "rb/test_failures.rb": 'require "minitest/autorun"\n\nclass TestFailures < Minitest::Test\n  def test_error_raised\n    assert_raises(KeyError) { {}.fetch(:a) }\n  end\nend\n',
    "rb/rescue.rb": 'begin\n  Integer("x")\nrescue ArgumentError => e\n  warn "ignored: #{e.message}"\nend\nputs "41 rows written"\n',
    "pl/strict.pl": "use strict;\nuse warnings;\n$total = 3;\nprint $total;\n",
    "t/bad.t": 'use Test::More tests => 2;\nok(1, "loads");\nis(1 + 1, 3, "adds");\n',
    "t/errors.t": 'use Test::More tests => 2;\nok(1, "dies on error");\nok(1, "failed rows are kept");\n',
    "ph/page.php": "<?php\nfunction cart(int $n) { return $n; }\necho cart(\"many\");\n",
    "ph/composer.json": '{"name": "Shop", "require": {"php": ">=7"\n',
    "ph/caught.php": '<?php\ntry { intdiv(1, 0); } catch (DivisionByZeroError $e) { echo "caught: ", $e->getMessage(), PHP_EOL; }\necho "done, 7 invoices\\n";\n',
    "lu/missing.lua": 'local cart = require("shop.cart")\nprint(cart.total())\n',
    "lu/pcall.lua": 'local ok, err = pcall(function() error("no such table") end)\nprint(ok, err)\nprint("fallback table used")\n',
    "hs/Types.hs": "module Types where\ntotal :: Int -> Int\ntotal n = n ++ 1\n",
    "hs/Warns.hs": "module Warns where\nimport Data.List\nfirst (x:_) = x\n",
    "ml/types.ml": 'let total n = n + 1\nlet () = print_int (total "x")\n',
    "ml/result.ml": 'let show = function Ok n -> Printf.printf "ok %d\\n" n | Error e -> Printf.printf "error %s\\n" e\nlet () = List.iter show [Ok 1; Error "empty"; Ok 2]\n',
    "r/model.R": 'd <- read.csv("data/nothing.csv")\nprint(summary(d))\n',
    "r/caught.R": 'n <- tryCatch(stop("no model"), error = function(e) { message("Error handled: ", conditionMessage(e)); 0 })\ncat("n =", n, "\\n")\n',
    "er/boom.escript": '#!/usr/bin/env escript\nmain(_) -> io:format("~p~n", [lists:nth(9, [1])]).\n',
    "er/caught.escript": '#!/usr/bin/env escript\nmain(_) -> R = (catch error(badarg)), io:format("~p~nrecovered~n", [element(1, R)]).\n',
    "er/wrong.erl": "-module(wrong).\n-export([go/0]).\ngo() -> missing(1).\n",
    "ex/boom.exs": 'IO.puts("loading")\nFile.read!("config/nothing.exs")\n',
    "ex/rescue.exs": 'try do\n  raise "boom"\nrescue\n  e in RuntimeError -> IO.puts("rescued: #{e.message}")\nend\nIO.puts("queue drained")\n',
    "sc/unbound.scm": "(display (total-of 3))\n",
    "sc/catch.scm": "(catch #t (lambda () (error \"no key\")) (lambda (k . a) (display \"caught \") (display k) (newline)))\n(display \"9 keys\")\n",
    "sc/boom.lisp": '(defun total (n) (+ n 1))\n(print (total "x"))\n',
    "tc/boom.tcl": "puts loading\nputs $undefined_total\n",
    "tc/catch.tcl": 'if {[catch {expr {1 / 0}} why]} { puts "skipped: $why" }\nputs "3 rows"\n',
    "sh/provision.sh": "#!/bin/bash\necho '[1/3] packages'\ncp config/app.conf /srv/nothing/there/\necho '[2/3] users'\nchown deploy-nobody:web notes.md\necho '[3/3] done'\n",
    "sh/backup.sh": "#!/bin/bash\nfor f in shop.db uploads.tar; do\n  cp \"$f\" \"$f.bak\"\ndone\necho \"Backup complete\"\n",
    "sh/unclosed.sh": "if [ -f x ]; then\n  echo yes\n",
    "sh/bad.cron": "99 99 * * * echo nightly\n",
    "sh/clean.sh": '#!/bin/sh\necho "error: ${1:-none}"\n',
}  # fmt: skip

DATA = {
    "notes.md": "# Notes\n\nThe import failed on Monday with `ERROR 1045 (28000): Access denied`. Fixed on Tuesday.\n",
    "logs/app.log": "".join(
        f"2024-05-0{day} 10:0{day}:12 {level} {where} {text}\n"
        for day, level, where, text in (
            (1, "INFO", "web", "listening on 8080"), (2, "ERROR", "db", "Connection refused (127.0.0.1:5432)"),
            (3, "WARN", "web", "slow request 2100 ms"), (4, "ERROR", "db", "Connection refused (127.0.0.1:5432)"),
            (5, "ERROR", "mail", "SMTPException: 550 mailbox unavailable"), (6, "INFO", "web", "shutting down"),
        )
    ),
    "logs/ci.log": "Run make test\nFAIL src/cart.test.ts\n  expected 3, received 2\nTests: 1 failed, 40 passed\nError: Process completed with exit code 1.\n",
    "logs/trace.txt": 'Traceback (most recent call last):\n  File "/srv/app/main.py", line 12, in <module>\n    run()\n  File "/srv/app/main.py", line 7, in run\n    raise KeyError("cart")\nKeyError: \'cart\'\n',
    "logs/access.log": "".join(f'10.0.0.{n} - - [01/May/2024:10:00:0{n} +0000] "GET /p/{n} HTTP/1.1" {code} 12\n' for n, code in enumerate((200, 500, 404, 200, 502))),
    "logs/deploys.txt": "v1.1 ok\nv1.2 failed: health check timed out, rolled back\nv1.3 ok\n",
    "errors/404.html": "<h1>404 Not Found</h1>\n",
    "errors/500.html": "<h1>500 Internal Server Error</h1>\n",
    "data/runs.json": '{"runs": [{"name": "nightly", "status": "failed", "error": "timeout after 600s"}, {"name": "hourly", "status": "ok"}]}\n',
    "data/errors.csv": "code,meaning\nE1,failed login\nE2,permission denied\n",
    "data/errors.xml": "<errors><error code='1'>failed</error></errors>\n",
    "data/broken.json": '{"items": [{"price": 3}, {"price": 4,}]\n',
    "data/broken.xml": "<cart><item></cart>\n",
    "data/a.txt": "b\na\nc\n",
    "data/b.txt": "a\nb\nd\n",
    "conf/alerts.yml": "---\nalerts:\n  - name: HighErrorRate\n    when: error_rate > 0.05\n    message: \"error: too many failed requests\"\n",
    "conf/nginx.conf": "pid /tmp/hard-nginx.pid;\nerror_log /dev/stderr;\nevents {}\nhttp { access_log off; server { listen 18080; error_page 500 /500.html; } }\n",
    "conf/nginx-broken.conf": "events {}\nhttp { server { listen 18080 location / { } } }\n",
    "conf/haproxy-broken.cfg": "frontend web\n    bind *:18081\n    default_backend nowhere\n    frobnicate on\n",
    "sql/migrate.sql": "create table orders (id integer primary key);\ninsert into order_lines values (1);\nalter table customers add column vip int;\n",
    "Dockerfile": "FROM python:3.12\nRUN pip install shop\n",
    "docker-compose.yml": "services:\n  web:\n    image: shop:dev\n",
    "tf/main.tf": 'resource "null_resource" "a" {\n  count = var.nowhere\n',
    "ans/site.yml": "- hosts: all\n  gather_facts: false\n  tasks:\n    - name: place config\n      ansible.builtin.command: cp /srv/nothing/a /tmp/b\n",
    "plot/bad.gp": 'set terminal dumb\nplot "nothing.dat" using 1:2\n',
    "plot/bad.dot": "digraph { a -> -> b }\n",
    "plot/flow.dot": 'digraph { start -> error [label="on failure"]; start -> done }\n',
    "proto/bad.proto": 'syntax = "proto3";\nmessage Cart { Itm item = 1; }\n',
    "gram/bad.y": "%token NUM\n%%\nexpr: expr '+' term | term ;\n",
    "stale.patch": "--- a/py/errors.py\n+++ b/py/errors.py\n@@ -40,3 +40,3 @@\n one\n-two\n+three\n four\n",
}  # fmt: skip

FILES = NATIVE | SCRIPTS | DATA

SETUP = r"""
sqlite3 shop.db "create table jobs (id integer primary key, state text, message text);
insert into jobs (state, message) values ('done', ''), ('failed', 'timeout talking to the bank'), ('done', '')"
head -c 4000 /dev/urandom > big.bin
tar -czf whole.tgz big.bin && head -c 2000 whole.tgz > short.tgz
zip -q whole.zip big.bin && head -c 2000 whole.zip > short.zip
rm big.bin whole.tgz whole.zip
mkdir repo && cd repo
git init -q -b main && git config user.email dev@example.org && git config user.name Dev
printf 'def handle(cart):\n    return cart\n' > handler.py && git add . && git commit -qm 'Add the handler'
git checkout -q -b feature && printf 'def handle(cart):\n    return cart.items\n' > handler.py && git commit -qam 'Give items'
git checkout -q main
printf 'def handle(cart):\n    if not cart:\n        raise ValueError("cannot handle an empty cart")\n    return cart\n' > handler.py
git commit -qam 'Fix: fail early on an empty cart'
git checkout -q -b fix-errors && echo 'known errors' > ERRORS && git add . && git commit -qm 'List known errors'
git checkout -q main && git remote add origin http://127.0.0.1:9/shop.git
"""
