"""The project in which the commands of `hard_daily` run: small pieces of many languages, with what is wrong on purpose."""

FILES: dict[str, str] = {
    "README.md": "# ledgerd\n\nA small billing service.\n\n## Errors\n\n`E_NOFUNDS` means the transfer failed: not enough money.\nSee docs/errors.md.\n",
    "docs/errors.md": "# Error codes\n\n| code | meaning |\n|---|---|\n| E_NOFUNDS | transfer failed, no funds |\n| E_TIMEOUT | upstream timed out |\n| E_FATAL | fatal: ledger corrupt, cannot continue |\n",
    "docs/TROUBLESHOOTING.md": "# Troubleshooting\n\n## `Connection refused`\n\npsql: error: connection to server at \"localhost\", port 5432 failed: Connection refused\n\nStart the database first.\n\n## `ModuleNotFoundError: No module named 'ledger'`\n\nInstall with `pip install -e .`.\n",
    "CHANGELOG.md": "## 1.4.2\n\n- fix: crash when upload failed twice\n- fix: error swallowed in retry loop\n\n## 1.4.1\n\n- fix fatal error on empty config\n",
    # --- C and C++
    "c/hello.c": '#include <stdio.h>\nint main(void) { printf("hello\\n"); return 0; }\n',
    "c/undeclared.c": '#include <stdio.h>\nint main(void) {\n    printf("%d\\n", totl);\n    return 0;\n}\n',
    "c/nolink.c": "int ledger_sum(int a, int b);\nint main(void) { return ledger_sum(1, 2); }\n",
    "c/warn.c": '#include <stdio.h>\n#include <string.h>\nstatic int error_count(const char *s) { int unused; return strlen(s); }\nint main(void) { int x = 3; unsigned u = 2; if (x < u) printf("%s\\n", 5 > 3 ? "a" : "b"); return error_count("") ; }\n',
    "c/segv.c": '#include <stdio.h>\nint main(void) { int *p = 0; puts("loading ledger"); fflush(stdout); return *p; }\n',
    "c/assert.c": '#include <assert.h>\n#include <stdio.h>\nint main(void) { int balance = -3; printf("checking balance\\n"); fflush(stdout); assert(balance >= 0); return 0; }\n',
    "c/asan.c": "#include <stdlib.h>\nint main(void) { int *a = malloc(4 * sizeof *a); int i = a[7]; free(a); return i & 0; }\n",
    "c/Makefile": "all: app\napp: hello.c undeclared.o\n\tgcc -o app hello.c undeclared.o\nundeclared.o: undeclared.c\n\tgcc -c undeclared.c\ngood: hello.c\n\tgcc -Wall -o good hello.c\nwarned: warn.c\n\tgcc -Wall -Wextra -o warned warn.c\nneeds: missing.c\n\tgcc -o needs missing.c\nignored:\n\t-rm no-such-file.o\n\t@echo built anyway\ntabless:\n\techo errors=0 failed=0\n",
    "c/broken.mk": "all:\n    echo spaces, not tabs\n",
    "cpp/vec.cpp": '#include <string>\n#include <vector>\nint main() {\n    std::vector<std::string> names{"a"};\n    int first = names[0];\n    return names.lenght() + first;\n}\n',
    "cpp/ok.cpp": '#include <iostream>\n#include <stdexcept>\nint main() {\n    try { throw std::runtime_error("disk full"); }\n    catch (const std::exception &e) { std::cerr << "error: caught " << e.what() << ", retrying\\n"; }\n    std::cout << "stored 3 records\\n";\n}\n',
    "cpp/throws.cpp": '#include <stdexcept>\n#include <iostream>\nint main() { std::cout << "opening store" << std::endl; throw std::out_of_range("index 9 of 4"); }\n',
    "cpp/semi.cpp": "struct Ledger { int total = 0 }\nint main() { Ledger l; return l.total; }\n",
    # --- CMake, ninja, ctest
    "cm/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(cm C)\nenable_testing()\nadd_executable(good ../c/hello.c)\nadd_test(NAME error_path COMMAND good)\nadd_test(NAME fails_closed COMMAND good)\n",
    "cmbad/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(cmbad C)\nfind_package(LedgerCore 4 REQUIRED)\nadd_executable(x x.c)\n",
    "cmsyntax/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(cmsyntax C\nadd_executable(x x.c)\n",
    "cmtest/CMakeLists.txt": 'cmake_minimum_required(VERSION 3.10)\nproject(cmtest C)\nenable_testing()\nadd_test(NAME totals COMMAND sh -c "echo sum is 3; exit 1")\nadd_test(NAME parse COMMAND true)\nadd_test(NAME handles_error COMMAND true)\n',
    "cmcompile/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(cmcompile C)\nadd_executable(app ../c/undeclared.c)\n",
    "nj/build.ninja": "rule cc\n  command = gcc -c $in -o $out\n  description = CC $out\nbuild hello.o: cc ../c/hello.c\nbuild bad.o: cc ../c/undeclared.c\nbuild warn.o: cc ../c/warn.c\n",
    # --- Rust, Go, Java, TypeScript, OCaml, Haskell
    "rs/Cargo.toml": '[package]\nname = "ledger"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n',
    "rs/src/lib.rs": 'pub fn parse(s: &str) -> Result<i64, String> {\n    s.parse::<i64>().map_err(|e| format!("parse error: {e}"))\n}\n\nfn unused_error_helper() -> i32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn error_on_letters() { assert!(parse("abc").is_err()); }\n    #[test]\n    #[should_panic(expected = "parse error")]\n    fn panics_when_unwrapped() { parse("x").unwrap(); }\n    #[test]\n    fn failed_transfer_is_rolled_back() { assert_eq!(parse("4"), Ok(4)); }\n}\n',
    "rsbad/Cargo.toml": '[package]\nname = "wallet"\nversion = "0.1.0"\nedition = "2021"\n',
    "rsbad/src/main.rs": 'fn main() {\n    let names = vec![String::from("a")];\n    let moved = names;\n    println!("{} {}", names.len(), moved.len());\n    let n: i32 = "3";\n}\n',
    "rstest/Cargo.toml": '[package]\nname = "fees"\nversion = "0.1.0"\nedition = "2021"\n',
    "rstest/src/lib.rs": "pub fn fee(x: i64) -> i64 { x / 10 }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn rounds_up() { assert_eq!(super::fee(15), 2); }\n    #[test]\n    fn zero() { assert_eq!(super::fee(0), 0); }\n}\n",
    "rsdep/Cargo.toml": '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nserde_ledgerish = "1"\n',
    "rsdep/src/main.rs": "fn main() {}\n",
    "rspanic/main.rs": 'fn main() {\n    println!("reading accounts");\n    let v: Vec<i32> = Vec::new();\n    let x: Option<i32> = v.first().copied();\n    println!("{}", x.expect("no account"));\n}\n',
    "rspanic/catch.rs": 'use std::panic;\nfn main() {\n    let r = panic::catch_unwind(|| { panic!("worker 2 died"); });\n    println!("worker restarted: {}", r.is_err());\n}\n',
    "gosrc/go.mod": "module example.com/ledger\n\ngo 1.18\n",
    "gosrc/main.go": 'package main\n\nimport (\n\t"errors"\n\t"fmt"\n\t"log"\n)\n\nvar ErrNoFunds = errors.New("no funds: transfer failed")\n\nfn := 3\n',
    "gook/go.mod": "module example.com/ok\n\ngo 1.18\n",
    "gook/main.go": 'package main\n\nimport (\n\t"errors"\n\t"fmt"\n\t"log"\n)\n\nvar ErrNoFunds = errors.New("no funds: transfer failed")\n\nfunc Transfer(n int) error {\n\tif n > 10 {\n\t\treturn ErrNoFunds\n\t}\n\treturn nil\n}\n\nfunc main() {\n\tif err := Transfer(50); err != nil {\n\t\tlog.Printf("error: %v (will retry with less)", err)\n\t}\n\tif err := Transfer(5); err == nil {\n\t\tfmt.Println("transferred 5")\n\t}\n}\n',
    "gook/main_test.go": 'package main\n\nimport "testing"\n\nfunc TestTransferError(t *testing.T) {\n\tif Transfer(99) == nil {\n\t\tt.Fatal("expected an error")\n\t}\n\tt.Log("got the error we wanted: transfer failed")\n}\n\nfunc TestFailClosed(t *testing.T) {}\n',
    "gobad/go.mod": "module example.com/bad\n\ngo 1.18\n",
    "gobad/main.go": 'package main\n\nimport (\n\t"fmt"\n\t"os"\n)\n\nfunc main() {\n\tvar n int = "three"\n\tfmt.Println(m)\n}\n',
    "gotest/go.mod": "module example.com/fees\n\ngo 1.18\n",
    "gotest/fee.go": "package fees\n\nfunc Fee(n int) int { return n / 10 }\n",
    "gotest/fee_test.go": 'package fees\n\nimport "testing"\n\nfunc TestFee(t *testing.T) {\n\tif got := Fee(15); got != 2 {\n\t\tt.Errorf("Fee(15) = %d, want 2", got)\n\t}\n}\n\nfunc TestZero(t *testing.T) {}\n',
    "gopanic/main.go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tvar m map[string]int\n\tfmt.Println("starting import")\n\tm["a"] = 1\n}\n',
    "govet/go.mod": "module example.com/vet\n\ngo 1.18\n",
    "govet/main.go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Printf("%d accounts\\n", "three")\n}\n',
    "java/Bad.java": 'import java.util.List;\npublic class Bad {\n    public static void main(String[] args) {\n        int n = "four";\n        List<String> l = new ArrayList<>();\n        System.out.println(n)\n    }\n}\n',
    "java/Types.java": 'public class Types {\n    static int total(Strin s) { return s.length(); }\n    public static void main(String[] a) { int n = "x"; }\n}\n',
    "java/Ok.java": 'public class Ok {\n    public static void main(String[] a) {\n        try { Integer.parseInt("four"); }\n        catch (NumberFormatException e) { e.printStackTrace(); System.out.println("row 3 skipped"); }\n        System.out.println("imported 41 rows");\n    }\n}\n',
    "java/Throws.java": 'public class Throws {\n    static void load(String s) { if (s.isEmpty()) throw new IllegalStateException("ledger not open"); }\n    public static void main(String[] a) { System.out.println("loading"); load(""); }\n}\n',
    "java/Raw.java": "import java.util.*;\npublic class Raw {\n    public static void main(String[] a) { List l = new ArrayList(); l.add(1); Date d = new Date(99, 1, 1); Thread.currentThread().stop(); }\n}\n",
    "java/FeeTest.java": "import org.junit.Test;\nimport static org.junit.Assert.*;\npublic class FeeTest {\n    @Test public void roundsUp() { assertEquals(2, 15 / 10); }\n    @Test public void zero() { assertEquals(0, 0); }\n}\n",
    "java/ErrorTest.java": 'import org.junit.Test;\npublic class ErrorTest {\n    @Test(expected = IllegalStateException.class) public void failsWhenClosed() { System.err.println("ERROR ledger closed"); throw new IllegalStateException("closed"); }\n    @Test public void errorIsLogged() { System.out.println("java.io.IOException: disk full (simulated)"); }\n}\n',
    "mvnbad/pom.xml": '<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>ex</groupId><artifactId>ledger</artifactId>\n  <dependencies><dependency><groupId>ex</groupId><artifactId>nowhere</artifactId></dependency></dependencies>\n</project>\n',
    "ts/tsconfig.json": '{"compilerOptions": {"strict": true, "noEmit": true, "target": "es2020", "module": "commonjs", "types": []}, "files": ["good.ts"]}\n',
    "ts/bad.ts": 'interface Account { id: number; owner: string }\nconst a: Account = { id: "7", owner: "eva" };\nexport function total(xs: number[]): number { return xs.reduce((s, x) => s + x, "0"); }\nconst missing = accountt.id;\n',
    "ts/good.ts": 'export class TransferError extends Error { code = "E_FAILED" }\nexport const fail = (m: string): never => { throw new TransferError(m) };\n',
    "ts/syntax.ts": "export function f( { return 1;\n",
    "ml/bad.ml": 'let total xs = List.fold_left (+) 0 xs\nlet () = print_int (total [1; "2"; 3])\n',
    "ml/ok.ml": 'exception Ledger_error of string\nlet () =\n  try raise (Ledger_error "closed") with Ledger_error m -> Printf.eprintf "error: %s, reopened\\n" m;\n  print_endline "12 entries"\n',
    "ml/throws.ml": 'let () = print_endline "start"; ignore (List.assoc "fee" [])\n',
    "hs/Bad.hs": "module Main where\ntotal :: [Int] -> Int\ntotal xs = sum xs ++ 1\nmain :: IO ()\nmain = print (totl [1,2])\n",
    "hs/Ok.hs": 'module Main where\nimport Control.Exception\nmain :: IO ()\nmain = do\n  r <- try (evaluate (1 `div` (0 :: Int))) :: IO (Either ArithException Int)\n  print r\n  putStrLn "went on"\n',
    # --- Python
    "py/app.py": "import json, sys\n\ndef load(path):\n    with open(path) as f:\n        return json.load(f)\n\nif __name__ == '__main__':\n    cfg = load(sys.argv[1])\n    print('listening on', cfg['server']['port'])\n",
    "py/good.json": '{"server": {"port": 8080}, "on_error": "retry", "failed": []}\n',
    "py/bad.json": '{"server": {"port": 8080,}\n',
    "py/short.json": '{"srv": {}}\n',
    "py/syntax.py": "def total(xs)\n    return sum(xs)\n",
    "py/imports.py": "import os\nimport ledger_core_native\nprint('ready')\n",
    "py/exits.py": "import sys\nprint('Checking 4 accounts...')\nprint('account 3: balance does not match (12.50 != 11.00)')\nsys.exit(1)\n",
    "py/exitmsg.py": "import sys\nprint('migrating...')\nsys.exit('migration 0007 could not be applied: column \"owner\" already exists')\n",
    "py/catches.py": "import traceback, warnings\nfor i, x in enumerate(['1', 'x', '3']):\n    try:\n        print('row', i, int(x))\n    except ValueError:\n        traceback.print_exc()\n        print('row', i, 'skipped')\nwarnings.warn('old api, will fail in 2.0', DeprecationWarning, stacklevel=1)\nprint('imported 2 of 3 rows, 1 skipped as configured')\n",
    "py/retries.py": "import sys\nfor n in range(1, 4):\n    if n < 3:\n        print(f'attempt {n} failed: ConnectionRefusedError: [Errno 111] Connection refused', file=sys.stderr)\n    else:\n        print(f'attempt {n}: connected, 20 messages fetched')\n",
    "py/logs.py": "import logging\nlogging.basicConfig(level=logging.INFO, format='%(levelname)s %(name)s %(message)s')\nlogging.getLogger('sync').error('peer b failed to answer, marked down')\nlogging.getLogger('sync').critical('quorum lost for 3 s')\nlogging.getLogger('sync').info('quorum regained, sync complete: 4 of 4 shards')\n",
    "py/test_fee.py": "import pytest\nfrom decimal import Decimal\n\ndef fee(x):\n    return x // 10\n\ndef test_rounds_up():\n    assert fee(15) == 2\n\ndef test_zero():\n    assert fee(0) == 0\n\n@pytest.mark.parametrize('x', [1, 2])\ndef test_small(x):\n    assert fee(x) == 0\n",
    "py/test_errors.py": "import pytest\n\ndef test_error_raised_when_failed():\n    print('ERROR: simulated failure')\n    with pytest.raises(ZeroDivisionError):\n        1 / 0\n\ndef test_failed_login_is_rejected():\n    assert True\n\n@pytest.mark.xfail(reason='known bug: fatal on empty input')\ndef test_known_bug():\n    assert False\n\nclass TestFatalErrors:\n    def test_traceback_is_hidden(self):\n        pass\n",
    "py/test_collect.py": "from ledger_core_native import fee\n\ndef test_it():\n    assert fee(1)\n",
    "py/test_fixture.py": "def test_db(database):\n    assert database\n",
    "py/ut_bad.py": "import unittest\n\nclass Fees(unittest.TestCase):\n    def test_rounds(self):\n        self.assertEqual(15 // 10, 2)\n    def test_boom(self):\n        {}['owner']\n\nif __name__ == '__main__':\n    unittest.main()\n",
    "py/ut_ok.py": "import unittest, sys\n\nclass Errors(unittest.TestCase):\n    def test_error_is_reported(self):\n        print('ERROR: cannot open ledger', file=sys.stderr)\n        with self.assertRaises(KeyError):\n            {}['owner']\n    @unittest.expectedFailure\n    def test_known_failure(self):\n        self.fail('known')\n\nif __name__ == '__main__':\n    unittest.main()\n",
    "py/doc_bad.py": 'def double(x):\n    """\n    >>> double(2)\n    4\n    >>> double(\'a\')\n    \'aa!\'\n    """\n    return x * 2\n',
    "py/typed_bad.py": "def total(xs: list[int]) -> int:\n    return str(sum(xs))\n\ntotal(['a'])\n",
    "py/ugly.py": "import os, sys\nx=1\ndef f( a ):\n  return undefined_name\n",
    "py/pkg/pyproject.toml": '[project]\nname = "ledger"\nversion = "1.0"\ndependencies = ["ledger-core-native>=3"]\n[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n',
    "py/brokenpkg/setup.py": "raise RuntimeError('LEDGER_HOME is not set, cannot build the extension')\n",
    "py/requirements.txt": "requests==99.0.1\nflask>=2\n",
    "py/badreq.txt": "requests=>2.0\nflask\n",
    "py/poetry/pyproject.toml": '[tool.poetry]\nname = "ledger"\n\n[tool.poetry.dependencies]\npython = "^3.11"\n',
    # --- JavaScript
    "js/package.json": '{"name": "ledger-web", "version": "1.0.0", "scripts": {"build": "node build.js", "test": "node --test test/", "lint": "node lint.js", "ok": "node ok.js", "boom": "exit 3"}}\n',
    "js/build.js": "console.log('> bundling 12 modules');\nconst cfg = require('./webpack.settings');\n",
    "js/lint.js": "console.log('src/a.js\\n  3:7  error  \\'x\\' is never used  no-unused-vars\\n\\n1 problem (1 error, 0 warnings)');\nprocess.exit(1);\n",
    "js/ok.js": "try { JSON.parse('{bad'); } catch (e) { console.error('warn: cache unreadable:', e.message); }\nconsole.log('built 12 modules, 0 errors');\n",
    "js/throws.js": "async function pay(x) { return x.account.id; }\nconsole.log('paying 3 invoices');\npay({});\n",
    "js/syntax.js": "const a = {;\nconsole.log(a)\n",
    "js/enoent.js": "const fs = require('fs');\nconst t = fs.readFileSync('/var/lib/ledger/accounts.csv', 'utf8');\nconsole.log(t.length);\n",
    "js/esm.js": "import { total } from './total.js';\nconsole.log(total([1]));\n",
    "js/broken/package.json": '{"name": "x", "version": "1.0.0",\n',
    "js/peer/package.json": '{"name": "peer", "version": "1.0.0", "dependencies": {"ledger-core-native-zz": "^9.0.0"}}\n',
    "js/test/good.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\ntest('rejects with an error when payment failed', async () => { await assert.rejects(async () => { throw new Error('failed'); }); });\ntest('error page is shown', () => { console.error('Error: boom (expected)'); });\n",
    "js/badtest/fee.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\ntest('rounds up', () => assert.strictEqual(Math.floor(15 / 10), 2));\ntest('zero', () => {});\n",
    "js/mocha/bad.js": "const assert = require('assert');\ndescribe('fees', () => { it('rounds up', () => assert.equal(Math.floor(15 / 10), 2)); it('zero', () => {}); });\n",
    "js/mocha/ok.js": "describe('errors', () => { it('fails when the card is declined', () => {}); it('logs a fatal error', () => { console.error('FATAL: declined'); }); it.skip('error on timeout', () => {}); });\n",
    "js/jest/bad/fee.test.js": "test('rounds up', () => { expect(Math.floor(15 / 10)).toBe(2); });\ntest('zero', () => { expect(0).toBe(0); });\n",
    "js/jest/ok/err.test.js": "test('throws an error on failure', () => { console.error('Error: payment failed'); expect(() => { throw new Error('failed'); }).toThrow(); });\n",
    "js/jest/suite/none.test.js": "const x = require('./does-not-exist');\ntest('a', () => {});\n",
    "js/.eslintrc.json": '{"root": true, "env": {"node": true, "es2022": true}, "extends": "eslint:recommended"}\n',
    "js/unused.js": "const x = 1;\nconsole.log(y);\n",
    "js/warned.js": "/* eslint no-console: warn */\nconsole.log('errors: 0');\n",
    # --- Ruby, Perl, PHP, Lua, R, shell, awk
    "rb/bad.rb": "def total(xs)\n  xs.sum\nputs total([1])\n",
    "rb/nil.rb": "puts 'reading invoices'\ninvoice = { id: 3 }\nputs invoice[:lines].map { |l| l[:amount] }.sum\n",
    "rb/rescue.rb": "begin\n  Integer('four')\nrescue ArgumentError => e\n  warn \"ERROR #{e.class}: #{e.message} - using 0\"\nend\nputs 'total: 41'\n",
    "rb/require.rb": "require 'ledger_core_native'\nputs 1\n",
    "rb/mt_bad.rb": "require 'minitest/autorun'\nclass FeeTest < Minitest::Test\n  def test_rounds\n    assert_equal 2, 15 / 10\n  end\n  def test_zero\n    assert_equal 0, 0\n  end\nend\n",
    "rb/mt_ok.rb": "require 'minitest/autorun'\nclass ErrorTest < Minitest::Test\n  def test_raises_error_when_failed\n    assert_raises(RuntimeError) { raise 'failed' }\n  end\nend\n",
    "rb/bad_spec.rb": "RSpec.describe 'fees' do\n  it('rounds up') { expect(15 / 10).to eq(2) }\n  it('is zero for zero') { expect(0).to eq(0) }\nend\n",
    "rb/ok_spec.rb": "RSpec.describe 'errors' do\n  it('fails with an error when declined') { expect { raise 'declined' }.to raise_error(RuntimeError) }\n  it('logs FATAL on corruption') { $stderr.puts 'FATAL: ledger corrupt (simulated)' }\nend\n",
    "rb/Rakefile": "task :ok do\n  puts 'errors: 0'\nend\ntask :boom do\n  raise 'assets could not be compiled'\nend\ntask :sh do\n  sh 'cat nothing-here.txt'\nend\n",
    "rb/x.gemspec": "Gem::Specification.new do |s|\n  s.name = 'x'\n  s.version = 'one.two.?'\nend\n",
    "pl/die.pl": "use strict; use warnings;\nprint \"parsing ledger\\n\";\nopen(my $f, '<', 'accounts.dat') or die \"cannot open accounts.dat: $!\";\n",
    "pl/syntax.pl": "use strict;\nmy $x = 3\nprint $x;\n",
    "pl/strict.pl": "use strict;\n$total = 4;\nprint $total;\n",
    "pl/module.pl": "use Ledger::Core;\nprint 1;\n",
    "pl/eval.pl": 'use warnings;\neval { die "disk full\\n" };\nwarn "error: $@" if $@;\nmy $u; print "value: " . $u . "\\n";\nprint "went on, 3 rows\\n";\n',
    "pl/t/bad.t": "use Test::More tests => 3;\nok(1, 'loads');\nis(int(15 / 10), 2, 'rounds up');\nok(1, 'zero');\n",
    "pl/t/dies.t": 'use Test::More tests => 3;\nok(1);\ndie "no database handle";\n',
    "pl/ok/err.t": "use Test::More tests => 2;\nok(!eval { die 'error'; 1 }, 'dies with error when failed');\ndiag('error: simulated failure was reported');\nok(1, 'no fatal errors');\n",
    "php/syntax.php": "<?php\nfunction total($xs) {\n    return array_sum($xs)\n}\n",
    "php/fatal.php": '<?php\necho "start\\n";\n$x = null;\n$x->total();\n',
    "php/throws.php": '<?php\nfunction pay($n) { throw new RuntimeException("card declined for $n"); }\npay(7);\n',
    "php/warns.php": "<?php\nini_set('display_errors', '1');\n$a = [];\necho $a['owner'] ?? 'none', \"\\n\";\ntry { intdiv(1, 0); } catch (DivisionByZeroError $e) { fwrite(STDERR, \"Error: \" . $e->getMessage() . \" (ignored)\\n\"); }\necho $undefined, \"total 3\\n\";\n",
    "php/FeeTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class FeeTest extends TestCase {\n    public function testRoundsUp(): void { $this->assertSame(2, intdiv(15, 10)); }\n    public function testZero(): void { $this->assertSame(0, 0); }\n}\n",
    "php/ErrorTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nfinal class ErrorTest extends TestCase {\n    public function testFailsWithError(): void { $this->expectException(RuntimeException::class); throw new RuntimeException('failed'); }\n}\n",
    "lua/syntax.lua": "local function f(\n  return 1\nend\n",
    "lua/nil.lua": "print('loading rates')\nlocal rates = {}\nprint(rates.eur.value)\n",
    "lua/pcall.lua": "local ok, err = pcall(function() error('rate missing') end)\nio.stderr:write('error: ', err, '\\n')\nprint('used the old rate', ok)\n",
    "lua/require.lua": "local j = require 'ledger.json'\nprint(j)\n",
    "lua/bad_spec.lua": "describe('fees', function() it('rounds up', function() assert.are.equal(2, math.floor(1.5)) end) it('zero', function() end) end)\n",
    "lua/ok_spec.lua": "describe('errors', function() it('fails with an error', function() assert.has_error(function() error('failed') end) end) end)\n",
    "r/stop.R": "cat('fitting\\n')\nx <- c(1, 2)\nstop('model did not converge')\n",
    "r/object.R": "x <- 1:3\nprint(mean(y))\n",
    "r/lib.R": "library(ledgerstats)\nprint(1)\n",
    "r/try.R": "r <- try(log(-1:'a'), silent = FALSE)\nwarning('NaNs produced in 2 rows')\ncat('done, 3 rows kept\\n')\n",
    "sh/deploy.sh": "#!/bin/bash\nset -e\necho 'building'\necho 'copying release'\ncp dist/app.tar.gz /srv/releases/\necho 'deployed'\n",
    "sh/unbound.sh": '#!/bin/bash\nset -u\necho "target: $DEPLOY_TARGET"\n',
    "sh/syntax.sh": "#!/bin/bash\nif [ -f x ]; then\n  echo yes\n",
    "sh/checks.sh": '#!/bin/bash\nfail=0\nfor s in api db queue; do\n  if [ $s = db ]; then echo "$s: DOWN"; fail=1; else echo "$s: up"; fi\ndone\nexit $fail\n',
    "sh/retry.sh": '#!/bin/bash\nfor n in 1 2 3; do\n  if [ $n -lt 3 ]; then echo "try $n: error: lock held by other process" >&2; else echo "try $n: lock taken"; exit 0; fi\ndone\n',
    "sh/ok.sh": "#!/bin/bash\ncat no-such-cache 2>/dev/null || echo 'cache: no such file, starting empty'\necho 'errors: 0, failed: 0'\n",
    "sh/noexec.sh": "#!/bin/bash\necho hi\n",
    "sh/interp.sh": "#!/usr/bin/python9\nprint(1)\n",
    "bats/bad.bats": '@test "rounds up" {\n  result=1\n  [ "$result" -eq 2 ]\n}\n@test "zero" {\n  true\n}\n',
    "bats/ok.bats": '@test "fails with an error when the file is missing" {\n  run cat nothing\n  [ "$status" -ne 0 ]\n  [[ "$output" == *"No such file"* ]]\n}\n@test "error count is zero" { true; }\n',
    "awk/bad.awk": "{ total += $2 \nEND { print total }\n",
    # --- data, logs
    "data/app.log": "2026-03-01 10:00:01 INFO  start\n2026-03-01 10:00:04 ERROR payment 17 failed: card declined\n2026-03-01 10:00:09 WARN  retrying\n2026-03-01 10:00:11 ERROR upstream timed out (E_TIMEOUT)\n2026-03-01 10:00:12 FATAL ledger corrupt, cannot continue\n2026-03-01 10:00:30 INFO  restarted, 0 errors\n",
    "data/crash.txt": 'Traceback (most recent call last):\n  File "/srv/app/main.py", line 12, in <module>\n    main()\n  File "/srv/app/main.py", line 8, in main\n    raise ConnectionError("could not reach db-1")\nConnectionError: could not reach db-1\n',
    "data/ci.log": "[1/4] install\nnpm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! Failed at the build script.\nmake: *** [Makefile:3: web] Error 2\n[exit 2]\n",
    "data/java.trace": 'Exception in thread "main" java.lang.NullPointerException: owner\n\tat ex.Ledger.load(Ledger.java:31)\n\tat ex.Main.main(Main.java:9)\nCaused by: java.io.IOException: disk full\n\t... 2 more\n',
    "data/accounts.csv": "id,owner,status\n1,eva,ok\n2,tom,failed\n3,ida,error\n",
    "data/bad.csv": "id,owner\n1,eva\n2,tom,extra,fields\n",
    "data/rows.json": '[{"id": 1, "status": "failed", "error": "card declined"}, {"id": 2, "status": "ok", "error": null}]\n',
    "data/bad.yaml": "server:\n  port: 8080\n   host: [a, b\n",
    "data/good.yaml": "server:\n  port: 8080\n  on_error: fail\nerrors:\n  - E_NOFUNDS\n  - E_FATAL\n",
    "data/notes.txt": "call the bank\n",
    "data/schema.sql": "CREATE TABLE account (id INTEGER PRIMARY KEY, owner TEXT NOT NULL, error TEXT);\nINSERT INTO account VALUES (1, 'eva', NULL), (2, 'tom', 'card declined'), (3, 'ida', 'timeout: transfer failed');\n",
    "data/broken.sql": "CREATE TABLE t (id INTEGER;\nSELECT * FROM t;\n",
    "data/notazip.zip": "<html><body>404 Not Found</body></html>\n",
    "data/notatar.tar.gz": "<html><body>502 Bad Gateway</body></html>\n",
    "data/bad.xml": "<ledger><account id=1></ledger>\n",
    "data/ok.xml": '<ledger><error code="E_FATAL">failed</error></ledger>\n',
    "docker/Dockerfile": "FROM debian:12\nRUN apt-get update\n",
    "docker/compose.yaml": "services:\n  web:\n    image: nginx\n    prots: ['80:80']\n",
    "docker/good.yaml": "services:\n  web:\n    image: nginx\n    environment:\n      ON_ERROR: fail\n",
    "tf/main.tf": 'resource "null_resource" "a" {\n  triggers = { x = var.missing }\n}\n',
    "tfsyntax/main.tf": 'resource "null_resource" "a" {\n  triggers = {\n',
    "tfok/main.tf": 'variable "on_error" {\n  default = "fail"\n}\noutput "policy" {\n  value = "on error: ${var.on_error}"\n}\n',
    "k8s/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: web\n    image: nginx\n",
}

SETUP = r"""
chmod 755 sh/deploy.sh sh/unbound.sh sh/checks.sh sh/retry.sh sh/ok.sh sh/interp.sh sh/syntax.sh
git config --global user.name Dev; git config --global user.email dev@example.org; git config --global init.defaultBranch main
git config --global advice.detachedHead false
cp "$HOME/.gitconfig" .gitconfig-made 2>/dev/null || true
mkdir -p repo && cd repo && git init -q
printf 'def pay():\n    return 1\n' > pay.py; printf 'port: 1\n' > conf.yaml
git add -A; git commit -qm 'Add payments'
printf 'def pay():\n    return 2\n' > pay.py; git commit -qam 'fix: error when the transfer failed twice'
git tag v1.0
printf 'port: 2\n' > conf.yaml; git commit -qam 'Fix fatal crash on empty config (#12)'
git checkout -qb feature HEAD~1; printf 'port: 33\n' > conf.yaml; git commit -qam 'Handle connection refused errors'
git checkout -q main
git checkout -qb tidy; echo 'errors: none' > NOTES; git add -A; git commit -qm 'Revert "fail early on error"'; git checkout -q main
git init -q --bare ../origin.git; git remote add origin ../origin.git; git push -q origin main 2>/dev/null
git clone -q ../origin.git ../other 2>/dev/null; (cd ../other; echo ahead > AHEAD; git add -A; git commit -qm 'Work of another'; git push -q origin main 2>/dev/null)
echo behind > BEHIND; git add -A; git commit -qm 'Work of ours'
cd ..
mkdir -p dirty && cp -r repo/. dirty && (cd dirty; printf 'port: 77\n' > conf.yaml; echo x > new.txt)
mkdir -p tree/a tree/b; echo 1 > tree/a/one; echo 2 > tree/b/two
(cd tree && tar czf ../good.tar.gz . ; zip -qr ../good.zip . ; tar cf ../good.tar . )
head -c 90 good.tar.gz > cut.tar.gz; head -c 120 good.zip > cut.zip
cp data/app.log plain.log; gzip -k data/app.log; xz -k data/app.log; head -c 60 data/app.log.gz > cut.gz; head -c 80 data/app.log.xz > cut.xz
sqlite3 shop.db < data/schema.sql
head -c 3000 /dev/urandom | base64 > data/notadb.db
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 3 -subj /CN=test 2>/dev/null
openssl genrsa -out otherkey.pem 2048 2>/dev/null
mkdir -p empty locked
diff -u README.md CHANGELOG.md > stale.patch || true
sed -i 's/# ledgerd/# no longer there/' stale.patch
"""
