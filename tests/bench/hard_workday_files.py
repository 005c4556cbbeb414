"""The repository in which `hard_workday.py` works: a small shop in many languages."""

from __future__ import annotations

SETUP = r"""
git init -q -b main . && git config user.email dev@example.org && git config user.name Dev
git add README.md Makefile pyproject.toml src && git commit -q -m "A cart and its errors"
git add tests scripts docs data && git commit -q -m "Fix error: out of stock failed silently"
git checkout -q -b fix-price && sed -i 's/^# Shop/# Shop, cheaper/' README.md && git commit -q -am "Fix failing price" && git checkout -q main
sed -i 's/^# Shop/# Shop of errors/' README.md && git add -A && git commit -q -m "Retry when the gateway refused"
sqlite3 shop.db "create table job(id, state, error); insert into job values (1, 'failed', 'Timeout: gateway'), (2, 'done', ''), (3, 'failed', 'refused')"
git add -f shop.db && git commit -q -m "Rows for the tests"
"""

_CART = '''"""A cart."""


class Cart:
    """What is bought."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, int, int]] = []

    def add(self, name: str, price: int, count: int = 1) -> None:
        """Put something into the cart."""
        self.lines.append((name, price, count))

    def total(self) -> int:
        """What all of it costs."""
        subtotal = sum(price * count for _, price, count in self.lines)
        return subtotal
'''
_ERRORS = '''"""What can go wrong."""


class ShopError(Exception):
    """The base of all errors."""


class OutOfStock(ShopError):
    """error: not enough in stock"""


class PaymentFailed(ShopError):
    def __init__(self, code: int) -> None:
        super().__init__(f"payment failed: gateway answered {code}")
        self.code = code
'''
_API = """import logging, json
from shop.errors import OutOfStock, PaymentFailed
from shop.cart import Cart
log = logging.getLogger("shop")
def charge(cart, gateway):
    try:
        return gateway(cart.total())
    except TimeoutError as error:
        log.error("gateway timed out: %s", error)
        raise PaymentFailed(504) from error
    except OutOfStock:
        log.exception("failed to charge")
        return None
def take(stock, name, count):
    # TODO: reserve first
    if stock.get(name, 0) < count:
        raise OutOfStock(f"{name}: {stock.get(name, 0)} left, {count} wanted")
    stock[name] -= count
"""
_PATH = "import pathlib, sys\nsys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'src'))\n"

FILES = {
    "README.md": "# Shop\n\nA small shop. `make test` runs the tests.\n\n## Errors\n\nerror: out of stock means what it says.\n",
    "Makefile": "all:\n\tgcc -Wall -o stock c/stock.c\n\t@echo built\ntest:\n\tPYTHONPATH=src python3 -m pytest -q tests/test_cart.py tests/test_errors.py\nlint:\n\t@echo linting\n\tpython3 scripts/args.py --lint-all\n",
    "pyproject.toml": "[project]\nname = 'shop'\nversion = '1.0'\n[tool.pytest.ini_options]\npythonpath = ['src']\n[tool.ruff]\nline-length = 100\n",
    "noxfile.py": "import nox\n\n\n@nox.session\ndef errors(session):\n    session.run('pytest')\n",
    "ci.yml": "jobs:\n  test:\n    steps:\n      - run: make test\n        continue-on-error: false\n",
    "docs/guide.md": "# Guide\n\nWhen a payment failed, the log says:\n\n    ERROR gateway timed out\n\nThat is no fault of the shop.\n",
    "src/shop/__init__.py": "",
    "src/shop/cart.py": _CART,
    "src/shop/errors.py": _ERRORS,
    "src/shop/api.py": _API,
    "src/shop/typed_wrong.py": "total: int = 'x'\n",
    "tests/test_cart.py": "import pytest\nfrom shop.cart import Cart\n\n\n@pytest.mark.parametrize('count', [1, 2, 3])\ndef test_total(count):\n    cart = Cart()\n    cart.add('tea', 3, count)\n    assert cart.total() == 3 * count\n\n\ndef test_empty_cart_is_no_error():\n    assert Cart().total() == 0\n",
    "tests/test_errors.py": "import pytest\nfrom shop.api import charge, take\nfrom shop.cart import Cart\nfrom shop.errors import OutOfStock, PaymentFailed\n\n\ndef test_out_of_stock_fails():\n    with pytest.raises(OutOfStock):\n        take({}, 'tea', 1)\n\n\ndef test_refused_payment_is_an_error():\n    def slow(_):\n        raise TimeoutError('no answer')\n    with pytest.raises(PaymentFailed):\n        charge(Cart(), slow)\n",
    "tests/test_warns.py": "import warnings\n\n\ndef test_old_error_codes():\n    warnings.warn('error codes below 100 are deprecated', DeprecationWarning)\n",
    "tests/test_skips.py": "import pytest\n\n\n@pytest.mark.skip(reason='error: no gateway here')\ndef test_gateway_failed():\n    raise SystemExit\n\n\ndef test_sum():\n    assert 1 + 1 == 2\n",
    "tests/test_expected.py": "import pytest\n\n\n@pytest.mark.xfail(reason='known error')\ndef test_known_failure():\n    assert 1 == 2\n",
    "tests/test_logs.py": "import logging\n\n\ndef test_logs_a_failure():\n    logging.basicConfig()\n    try:\n        {}['id']\n    except KeyError:\n        logging.exception('failed to find it')\n    print('error: handled')\n",
    "tests/unit_cart.py": _PATH + "import unittest\nfrom shop.cart import Cart\n\n\nclass CartErrors(unittest.TestCase):\n    def test_no_error(self):\n        self.assertEqual(Cart().total(), 0)\n",
    "tests/bad_unit_cart.py": _PATH + "import unittest\nfrom shop.cart import Cart\n\n\nclass Carts(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(Cart().total(), 1)\n",
    "tests/test_bad.py": "from shop.cart import Cart\n\n\ndef test_discount():\n    cart = Cart()\n    cart.add('tea', 10)\n    assert cart.total() == 9\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
    "tests/test_broken.py": "from shop.gateway import pay\n\n\ndef test_pay():\n    assert pay()\n",
    "scripts/report.py": _PATH + "import csv\nrows = list(csv.DictReader(open(sys.argv[1])))\nprint(len(rows), 'orders')\nfailed = [r for r in rows if r['state'] == 'failed']\nprint('failed:', len(failed))\nfor r in failed:\n    print('  order', r['id'], 'error:', r['note'])\nprint('sum', sum(int(r['price']) for r in rows))\n",
    "scripts/reproduce.py": _PATH + "import traceback\nfrom shop.api import take\ntry:\n    take({'tea': 1}, 'tea', 2)\nexcept Exception:\n    traceback.print_exc()\nprint('reproduced')\n",
    "scripts/refused.py": _PATH + "from shop.api import take\nfrom shop.errors import OutOfStock\nfor n in (1, 2):\n    try:\n        take({'tea': 1}, 'tea', n)\n        print(n, 'taken')\n    except OutOfStock as e:\n        print(n, 'refused as it should be:', type(e).__name__, e)\n",
    "scripts/sync.py": _PATH + "import logging\nlogging.basicConfig(level=logging.INFO, format='%(levelname)s %(message)s')\nlog = logging.getLogger('sync')\nlog.info('connecting to 127.0.0.1')\nlog.warning('connection refused, attempt 1 of 3')\nlog.error('connection refused, attempt 2 of 3')\nlog.info('connected')\nprint('synced 12 orders, 0 failed')\n",
    "scripts/charge.py": _PATH + "from shop.api import charge\nfrom shop.cart import Cart\ncart = Cart()\ncart.add('tea', 3)\nprint('charging', cart.total())\ndef slow(_):\n    raise TimeoutError('no answer')\ncharge(cart, slow)\nprint('charged')\n",
    "scripts/half.py": "def total(lines:\n    return sum(lines)\n",
    "scripts/args.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--verbose', action='store_true')\np.parse_args()\nprint('done')\n",
    "scripts/web.py": "from flask import Flask\napp = Flask(__name__)\n\n\n@app.route('/errors')\ndef errors():\n    return 'error: none'\n",
    "scripts/deploy.sh": "#!/bin/bash\nset -e\nif [ \"${1:-}\" = --check ]; then\n  echo 'checking: gateway ok'\n  echo 'checking: errors in the last hour: 0'\n  echo 'all checks passed'\n  exit 0\nfi\necho 'building'\ncp build/app.tgz /nowhere/app.tgz\necho 'deployed'\n",
    "scripts/deploy.bats": "@test \"deploy checks without error\" {\n  run bash scripts/deploy.sh --check\n  [ \"$status\" -eq 0 ]\n}\n@test \"deploy fails without a build\" {\n  run bash scripts/deploy.sh\n  [ \"$status\" -ne 0 ]\n}\n",
    "scripts/bad.bats": "@test \"deploys\" {\n  bash scripts/deploy.sh\n}\n",
    "logs/server.log": "10:00:01 INFO listening on 8000\n10:00:02 INFO GET / 200\n10:00:05 ERROR gateway timed out after 3 s\n10:00:05 WARNING retrying\n10:00:06 INFO POST /pay 200\n10:00:09 ERROR payment failed: gateway answered 502\nTraceback (most recent call last):\n  File \"/srv/shop/api.py\", line 7, in charge\n    return gateway(cart.total())\nTimeoutError: no answer\n10:00:10 INFO POST /pay 500\n10:00:11 INFO GET / 200\n",
    "data/orders.csv": "id,state,price,note\n1,done,30,\n2,failed,12,gateway timed out\n3,done,7,\n4,failed,9,card refused\n5,open,11,\n",
    "data/broken.csv": "id,state,price,note\n1,done,30,\n2,failed,,gateway timed out\n",
    "data/jobs.json": '[{"id": 1, "status": "failed", "error": "timeout"}, {"id": 2, "status": "done", "error": null}]\n',
    "data/broken.json": '{"id": 1, "status": "done",\n',
    "fix.patch": "--- a/docs/guide.md\n+++ b/docs/guide.md\n@@ -1,3 +1,3 @@\n-# Guide\n+# A guide to errors\n \n When a payment failed, the log says:\n",
    "bad.patch": "--- a/docs/guide.md\n+++ b/docs/guide.md\n@@ -1,3 +1,3 @@\n-# Handbook\n+# A guide\n \n Nothing like it.\n",
    "notes.md": "- errors of the gateway\n",
    "features/stock.feature": "Feature: stock\n  Scenario: refused when out of stock\n    Given 1 tea\n    When 2 are taken\n    Then it fails with an error\n",
    "features/steps/stock.py": "from behave import given, when, then\n\n\n@given('1 tea')\ndef _(context):\n    context.stock = 1\n\n\n@when('2 are taken')\ndef _(context):\n    context.error = context.stock < 2\n\n\n@then('it fails with an error')\ndef _(context):\n    assert context.error\n",
    "bad_features/stock.feature": "Feature: stock\n  Scenario: taken\n    Given 1 tea\n    Then none is left\n",
    "bad_features/steps/stock.py": "from behave import given, then\n\n\n@given('1 tea')\ndef _(context):\n    context.stock = 1\n\n\n@then('none is left')\ndef _(context):\n    assert context.stock == 0, 'one is left'\n",
    # --- node ---
    "package.json": '{"name": "shop", "version": "1.0.0", "scripts": {"build": "node web/total.js", "lint": "echo \'0 errors, 0 warnings\'", "test": "node --test web/node.test.js", "check": "node web/throws.js"}}\n',
    "web/total.js": "const lines = [[3, 2], [4, 1]];\nconst total = lines.reduce((sum, [price, count]) => sum + price * count, 0);\nglobalThis.console.log('total', total);\n",
    "web/catches.js": "try { JSON.parse('{'); } catch (error) { console.error(error); }\nPromise.reject(new Error('refused')).catch((e) => console.log('caught', e.message));\n",
    "web/throws.js": "console.log('charging');\nfunction charge(total) { if (!total) throw new RangeError('nothing to charge'); }\ncharge(0);\nconsole.log('charged');\n",
    "web/needs.js": "const pay = require('./gateway');\npay();\n",
    "web/price.ts": "export const price = (cents: number): string => (cents / 100).toFixed(2);\nconsole.log(price(1250));\n",
    "web/wrong.ts": "export const price = (cents: number): string => cents / 100;\nconsole.log(price('x'));\n",
    "web/price.test.js": "test('no error for nothing', () => { expect(0 + 0).toBe(0); });\ntest('fails on words', () => { expect(() => { throw new Error('not a number'); }).toThrow('number'); });\n",
    "web/bad.test.js": "test('discount', () => { expect(10 - 2).toBe(9); });\ntest('sum', () => { expect(1).toBe(1); });\n",
    "web/node.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\ntest('error is thrown when refused', () => { assert.throws(() => { throw new Error('refused'); }); });\n",
    # --- others ---
    "gosrc/go.mod": "module shop\n\ngo 1.18\n",
    "gosrc/main.go": "package main\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n\nfunc take(have, want int) error {\n\tif have < want {\n\t\treturn errors.New(\"out of stock\")\n\t}\n\treturn nil\n}\n\nfunc main() {\n\tfmt.Println(\"error:\", take(1, 2))\n\tfmt.Println(\"error:\", take(2, 1))\n}\n",
    "gosrc/main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestTakeFails(t *testing.T) {\n\tif take(1, 2) == nil {\n\t\tt.Fatal(\"no error\")\n\t}\n\tt.Log(\"error as wanted\")\n}\n",
    "gobad/go.mod": "module shop\n\ngo 1.18\n",
    "gobad/main.go": "package main\n\nimport \"fmt\"\n\nfunc price(of []int) int { return of[3] }\n\nfunc main() {\n\tfmt.Println(\"prices\")\n\tfmt.Println(price([]int{1}))\n}\n",
    "gobad/main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\tif 1+1 != 3 {\n\t\tt.Errorf(\"got %d, want 3\", 1+1)\n\t}\n}\n",
    "gobroken/go.mod": "module shop\n\ngo 1.18\n",
    "gobroken/main.go": "package main\n\nfunc main() {\n\tvar total int = \"x\"\n\tcharge(total)\n}\n",
    "crate/Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    "crate/src/main.rs": "fn take(have: u32, want: u32) -> Result<u32, String> {\n    have.checked_sub(want).ok_or_else(|| format!(\"error: {have} left, {want} wanted\"))\n}\nfn main() {\n    println!(\"{:?}\", take(1, 2));\n}\n#[test]\nfn fails_when_out_of_stock() {\n    assert!(take(1, 2).is_err());\n}\n#[test]\n#[should_panic]\nfn panics_on_error() {\n    take(1, 2).unwrap();\n}\n",
    "badcrate/Cargo.toml": "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    "badcrate/src/main.rs": "fn main() {\n    let total: u32 = \"x\";\n    println!(\"{}\", totals);\n}\n",
    "c/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(shop C)\nadd_executable(stock stock.c)\n",
    "c/stock.c": "#include <stdio.h>\nint main(void) {\n    fprintf(stderr, \"warning: stock is low\\n\");\n    printf(\"3 left, 0 errors\\n\");\n    return 0;\n}\n",
    "c/bad.c": "#include <stdio.h>\nint main(void) {\n    printf(\"%d\\n\", total);\n    return 0\n}\n",
    "java/Stock.java": "public class Stock {\n    public static void main(String[] args) {\n        try { throw new IllegalStateException(\"out of stock\"); }\n        catch (IllegalStateException e) { System.err.println(\"handled: \" + e); }\n        System.out.println(\"1 order taken\");\n    }\n}\n",
    "java/Bad.java": "public class Bad {\n    int total() { return \"x\"; }\n}\n",
    "rb/stock.rb": "begin\n  raise ArgumentError, 'out of stock'\nrescue ArgumentError => e\n  warn \"refused: #{e.message}\"\nend\nputs 'orders: 1, failed: 0'\n",
    "rb/charge.rb": "puts 'charging'\ndef charge(total) = raise(IOError, 'gateway closed')\ncharge(3)\n",
    "rb/stock_spec.rb": "RSpec.describe 'stock' do\n  it 'raises an error when there is none' do\n    expect { raise 'out of stock' }.to raise_error('out of stock')\n  end\nend\n",
    "rb/bad_spec.rb": "RSpec.describe 'stock' do\n  it 'counts' do\n    expect(1 + 1).to eq 3\n  end\nend\n",
    "php/stock.php": "<?php\ntry { throw new RuntimeException('out of stock'); } catch (RuntimeException $e) { error_log('refused: ' . $e->getMessage()); }\necho \"1 order, 0 errors\\n\";\n",
    "php/charge.php": "<?php\necho \"charging\\n\";\nfunction charge($t) { throw new RuntimeException('gateway closed'); }\ncharge(3);\n",
    "php/StockTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nclass StockTest extends TestCase {\n    public function testErrorIsThrown(): void { $this->expectException(RuntimeException::class); throw new RuntimeException('failed'); }\n}\n",
    "php/BadTest.php": "<?php\nuse PHPUnit\\Framework\\TestCase;\nclass BadTest extends TestCase {\n    public function testSum(): void { $this->assertSame(3, 1 + 1); }\n}\n",
}  # fmt: skip
