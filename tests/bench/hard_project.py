"""The project in which the hard set is recorded: small sources in many languages, good, broken and complaining."""

from __future__ import annotations

SETUP = r"""
git init -q -b main . && git config user.email dev@example.org && git config user.name Dev
git add notes.md && git commit -q -m "fix error: failed build of parser" && git checkout -q -b other
echo left > notes.md && git commit -q -am "Error handling" && git checkout -q main
echo right > notes.md && git commit -q -am "Traceback in the log is no failure"
tar czf good.tgz logs && zip -qr good.zip logs && gzip -k logs/worker.log && xz -k logs/app.log
sqlite3 good.db "create table job(id, state); insert into job values (1, 'failed'), (2, 'error'), (3, 'done')"
g++ -o cc/good cc/good.cpp && chmod +x bin/*
"""

FILES = {
    # --- logs and notes, full of the words of failure ---
    "notes.md": "# Errors\n\nerror: failed to parse is what the parser says.\n",
    "logs/app.log": (
        "10:00:01 INFO start\n10:00:02 ERROR connection refused\n10:00:03 WARN retrying\n10:00:04 ERROR timed out\n"
    ),
    "logs/worker.log": (
        "INFO job 1\nTraceback (most recent call last):\n  File \"worker.py\", line 3, in run\n    raise KeyError('id')\n"
        "KeyError: 'id'\n"
    ),
    "logs/build.log": "gcc -c a.c\na.c:3:5: error: 'x' undeclared\nmake: *** [Makefile:2: a.o] Error 1\n",
    "data/good.json": '{"status": "failed", "error": {"code": 7}, "items": [1, 2, 3]}\n',
    "data/bad.json": '{"status": "open", "items": [1, 2,\n',
    "data/bad.xml": "<a><b></a>\n",
    "data/good.xml": "<errors><error>failed</error></errors>\n",
    "data/bad.yaml": "a: [1, 2\nb: }\n",
    "data/good.yaml": "---\nerrors:\n  - failed\n",
    "data/bad.sql": "select * from nothing_here;\nselect 1;\n",
    "data/not.gz": "this is no archive\n", "data/not.tgz": "this is no archive\n", "data/not.zip": "no archive\n",
    "data/not.xz": "no archive\n", "data/not.bz2": "no archive\n", "data/not.zst": "no archive\n",
    "data/not.7z": "no archive\n", "data/not.pem": "no certificate\n", "data/not.deb": "no package\n",
    "data/fix.patch": "--- a/notes.md\n+++ b/notes.md\n@@ -1,3 +1,3 @@\n-nothing like it\n+other\n same\n same\n",
    # --- compiled ---
    "cc/bad.c": "int main(void) {\n    return missing_name;\n}\n",
    "cc/link.c": "int helper(void);\nint main(void) { return helper(); }\n",
    "cc/warn.c": (
        "#include <stdio.h>\nint main(void) {\n    int error = 0;\n    unsigned u = 1;\n    if (error < u) puts(\"x\");\n"
        "    return 0;\n}\n"
    ),
    "cc/bad.cpp": "#include <string>\nint main() { std::string s = 5; s.nothing(); }\n",
    "cc/good.cpp": (
        "#include <iostream>\nint main() { std::cerr << \"warning: slow\\n\"; std::cout << \"errors: 0\\n\"; }\n"
    ),
    "cc/crash.c": "#include <stdlib.h>\nint main(void) { abort(); }\n",
    "cc/segv.c": "int main(void) { volatile int *p = 0; return *p; }\n",
    "cc/Makefile": (
        "good:\n\t@echo compiling error.c failed.c\nbad: bad.o\n\t@echo linked\nbad.o:\n\tgcc -c bad.c -o bad.o\n"
        "warn:\n\tgcc -Wall -Wextra -c warn.c -o warn.o\nignored:\n\t-rm nothing.o\n\t@echo rest is done\n"
    ),
    "cm/CMakeLists.txt": (
        "cmake_minimum_required(VERSION 3.10)\nproject(demo C)\nenable_testing()\n"
        "add_test(NAME error_path COMMAND true)\nadd_test(NAME broken COMMAND false)\n"
    ),
    "cmgood/CMakeLists.txt": (
        "cmake_minimum_required(VERSION 3.10)\nproject(demo C)\nenable_testing()\n"
        "add_test(NAME error_path COMMAND true)\nadd_test(NAME failing_input COMMAND true)\n"
    ),
    "cmbad/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(demo C)\nfind_package(Nowhere REQUIRED)\n",
    "ninja/build.ninja": "rule fail\n  command = ls nothing_there\nbuild out: fail\n",
    "meson/meson.build": "project('demo', 'c')\ndependency('nowhere-at-all')\n",
    "asm/bad.asm": "section .text\n    movv eax, 1\n",
    "fortran/bad.f90": "program a\n  integer :: x\n  x = 'a' +\nend program\n",
    "java/Bad.java": "class Bad { public static void main(String[] a) { int x = \"s\"; } }\n",
    "java/Boom.java": (
        "public class Boom { public static void main(String[] a) { throw new IllegalStateException(\"no config\"); } }\n"
    ),
    "java/Fine.java": (
        "public class Fine { public static void main(String[] a) { System.out.println(\"Exception handled\");"
        " System.out.println(\"3 errors recovered\"); } }\n"
    ),
    "java/BadTest.java": (
        "import org.junit.*;\npublic class BadTest { @Test public void adds() { Assert.assertEquals(3, 1 + 1); }\n"
        " @Test public void other() { } }\n"
    ),
    "java/GoodTest.java": (
        "import org.junit.*;\npublic class GoodTest { @Test public void errorFails() { Assert.assertEquals(2, 1 + 1); } }\n"
    ),
    "ant/build.xml": '<project default="all"><target name="all"><fail message="no such release"/></target></project>\n',
    "rust/Cargo.toml": '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n',
    "rust/src/lib.rs": (
        "pub fn add(a: i32, b: i32) -> i32 { a + b }\n#[cfg(test)]\nmod tests {\n    #[test]\n"
        "    fn error_is_reported() { assert_eq!(super::add(1, 1), 2); }\n    #[test]\n    #[ignore]\n"
        "    fn broken() { assert_eq!(super::add(1, 1), 3); }\n}\n"
    ),
    "rust/bad.rs": "fn main() { let x: i32 = \"a\"; }\n",
    "rust/panics.rs": "fn main() { let v: Vec<i32> = Vec::new(); println!(\"{}\", v[3]); }\n",
    "go/go.mod": "module example.org/demo\n\ngo 1.19\n",
    "go/good/a.go": "package good\n\nfunc Add(a, b int) int { return a + b }\n",
    "go/good/a_test.go": (
        "package good\n\nimport \"testing\"\n\nfunc TestErrorFailed(t *testing.T) { if Add(1, 1) != 2 { t.Fatal(\"no\") } }\n"
    ),
    "go/bad/a_test.go": (
        "package bad\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) { t.Errorf(\"got 2, want 3\") }\n"
    ),
    "go/broken/main.go": "package main\n\nfunc main() { undefinedThing() }\n",
    "go/panics/main.go": "package main\n\nfunc main() { var m map[string]int; m[\"a\"] = 1 }\n",
    "ml/bad.ml": "let x : int = \"a\"\n",
    # --- interpreted ---
    "py/boom.py": "import json\n\ndef load():\n    return json.loads('{')\n\nprint('loading')\nload()\n",
    "py/exits.py": "import sys\nprint('checked 3 files')\nprint('config.toml is missing a name', file=sys.stderr)\nsys.exit(2)\n",
    "py/syntax.py": "def f(:\n    pass\n",
    "py/handled.py": (
        "import traceback\ntry:\n    {}['id']\nexcept KeyError:\n    traceback.print_exc()\nprint('recovered, 1 error logged')\n"
    ),
    "py/logs.py": (
        "import logging\nlogging.basicConfig()\nlogging.error('attempt 1 failed: timed out')\nprint('attempt 2: ok')\n"
    ),
    "py/warns.py": "import warnings\nwarnings.warn('error handling is old', DeprecationWarning)\nprint('done')\n",
    "py/cli.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--name', required=True)\np.parse_args()\n",
    "py/test_bad.py": "def test_error_path():\n    assert True\n\ndef test_sum():\n    assert 1 + 1 == 3\n",
    "py/test_good.py": "def test_error_failed():\n    assert True\n\ndef test_exception_denied():\n    assert True\n",
    "py/unit_bad.py": (
        "import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 2)\n"
        "if __name__ == '__main__':\n    unittest.main()\n"
    ),
    "py/unit_good.py": (
        "import unittest\nclass T(unittest.TestCase):\n    def test_error(self):\n        self.assertEqual(1, 1)\n"
        "if __name__ == '__main__':\n    unittest.main()\n"
    ),
    "py/lint.py": "import os\nimport sys\nx: int = 'a'\ndef f( a ):\n  l = a\n  return undefined_name\n",
    "py/clean.py": '"""Clean."""\n\n\ndef add(left: int, right: int) -> int:\n    """Add."""\n    return left + right\n',
    "js/boom.js": "const fs = require('fs');\nconsole.log('reading');\nfs.readFileSync('nothing.txt');\n",
    "js/syntax.js": "function f( {\n",
    "js/needs.js": "require('left-out');\n",
    "js/rejects.js": "Promise.reject(new Error('quota exceeded'));\n",
    "js/handled.js": "try { JSON.parse('{'); } catch (e) { console.error(e.message); }\nconsole.log('fell back to defaults');\n",
    "js/bad.test.js": (
        "const test = require('node:test'); const assert = require('node:assert');\n"
        "test('adds', () => { assert.strictEqual(1 + 1, 3); });\ntest('other', () => {});\n"
    ),
    "js/good.test.js": "const test = require('node:test');\ntest('error is thrown', () => {});\n",
    "js/lint.js": "var unused = 1;\nif (a = 2) { debugger; }\n",
    "js/eslint.config.js": "module.exports = [{rules: {'no-unused-vars': 'error', 'no-debugger': 'error'}}];\n",
    "js/bad.ts": "const x: number = 'a';\nexport default x;\n",
    "js/package.json": '{"name": "demo", "version": "1.0.0", "scripts": {"fails": "node boom.js", "passes": "echo 0 errors"}}\n',
    "mocha/test/a.js": (
        "const assert = require('assert');\ndescribe('errors', () => { it('adds', () => assert.equal(1 + 1, 3));"
        " it('fails well', () => {}); });\n"
    ),
    "mocha/good/a.js": "describe('errors', () => { it('fails well', () => {}); });\n",
    "jest/package.json": '{"name": "demo", "jest": {}}\n',
    "jest/bad.test.js": "test('adds', () => { expect(1 + 1).toBe(3); });\n",
    "jest/good.test.js": "test('error is failed', () => { expect(2).toBe(2); });\n",
    "rb/boom.rb": "def load\n  raise ArgumentError, 'no such plan'\nend\nputs 'start'\nload\n",
    "rb/syntax.rb": "def f(\n  1\n",
    "rb/spec/bad_spec.rb": "RSpec.describe 'sum' do\n  it('adds') { expect(1 + 1).to eq(3) }\n  it('errors') { }\nend\n",
    "rb/spec/good_spec.rb": "RSpec.describe 'error' do\n  it('fails well') { expect(1).to eq(1) }\nend\n",
    "rb/mini_bad.rb": "require 'minitest/autorun'\nclass T < Minitest::Test\n  def test_a; assert_equal 3, 1 + 1; end\nend\n",
    "rb/mini_good.rb": "require 'minitest/autorun'\nclass T < Minitest::Test\n  def test_error; assert true; end\nend\n",
    "php/boom.php": "<?php\necho \"start\\n\";\nthrow new RuntimeException('no gateway');\n",
    "php/syntax.php": "<?php\n$a = ;\n",
    "php/warns.php": "<?php\necho \"0 errors\\n\";\necho $nothing;\necho \"end\\n\";\n",
    "php/BadTest.php": (
        "<?php\nuse PHPUnit\\Framework\\TestCase;\nclass BadTest extends TestCase {"
        " public function testSum() { $this->assertSame(3, 1 + 1); } }\n"
    ),
    "php/GoodTest.php": (
        "<?php\nuse PHPUnit\\Framework\\TestCase;\nclass GoodTest extends TestCase {"
        " public function testError() { $this->assertSame(2, 1 + 1); } }\n"
    ),
    "pl/boom.pl": "print \"start\\n\";\ndie \"cannot open config: no plan\";\n",
    "pl/syntax.pl": "my $x = ;\n",
    "pl/warns.pl": "use warnings;\nmy $x;\nprint \"value: $x\\n\";\n",
    "pl/bad.t": "use Test::More tests => 2;\nok(1, 'error');\nis(1 + 1, 3, 'sum');\n",
    "pl/good.t": "use Test::More tests => 1;\nok(1, 'failed input');\n",
    "lua/boom.lua": "print('start')\nlocal t = nil\nprint(t.name)\n",
    "lua/syntax.lua": "x = = 1\n",
    "lua/bad_spec.lua": "describe('sum', function() it('adds', function() assert.are.equal(3, 1 + 1) end) end)\n",
    "lua/good_spec.lua": "describe('error', function() it('fails well', function() assert.is_true(true) end) end)\n",
    "tcl/boom.tcl": "puts start\nset x [expr {1 / 0}]\n",
    "tcl/bad.test.tcl": "package require tcltest\ntcltest::test sum {adds} {expr {1 + 1}} 3\ntcltest::cleanupTests\nexit 1\n",
    "ex/boom.exs": "IO.puts(\"start\")\nMap.fetch!(%{}, :id)\n",
    "ex/bad_test.exs": "ExUnit.start()\ndefmodule BadTest do\n  use ExUnit.Case\n  test \"sum\" do\n    assert 1 + 1 == 3\n  end\nend\n",
    "ex/good_test.exs": "ExUnit.start()\ndefmodule GoodTest do\n  use ExUnit.Case\n  test \"error\" do\n    assert true\n  end\nend\n",
    "bats/bad.bats": "@test \"sum\" {\n  [ $((1 + 1)) -eq 3 ]\n}\n@test \"error\" {\n  true\n}\n",
    "bats/good.bats": "@test \"error is failed\" {\n  true\n}\n",
    "bin/syntax.sh": "#!/bin/bash\nif [ 1 = 1 ]; then\n  echo a\n",
    "bin/unset.sh": "#!/bin/bash\nset -u\necho start\necho $NOTHING_SET\n",
    "bin/lint.sh": "#!/bin/bash\nfor f in $(ls *.txt); do rm $f; done\n",
    "bin/steps.sh": "#!/bin/bash\nset -e\necho step 1\ncp nothing.cfg target.cfg\necho step 2\n",
    "bin/retries.sh": "#!/bin/bash\necho 'error: attempt 1 failed'\necho 'attempt 2 succeeded'\n",
    "Dockerfile": "FROM scratch\nCOPY nothing /\n",
}  # fmt: skip
