"""The repository in which `hard_usual.py` works: tide gauges, in as many languages as there are."""

from __future__ import annotations

FILES: dict[str, str] = {
    "README.md": "# Gauges\n\nReads tide gauges. See docs/errors.md when a reading failed.\n",
    "docs/errors.md": "# Errors\n\n- `error: gauge silent`: no reading for an hour.\n- `fatal: drift`: recalibrate.\n",
    "logs/reader.log": (
        "2026-03-01 04:00:01 INFO reader started\n2026-03-01 04:00:09 ERROR gauge 7 silent: Connection refused\n"
        "2026-03-01 04:01:09 WARNING retrying gauge 7\n2026-03-01 04:01:10 INFO gauge 7 answered\n"
        "2026-03-01 04:02:00 ERROR export failed: No space left on device\n"
    ),
    "logs/crash.txt": (
        "Traceback (most recent call last):\n  File \"/srv/gauges/run.py\", line 31, in <module>\n    main()\n"
        "  File \"/srv/gauges/run.py\", line 12, in main\n    raise RuntimeError('gauge silent')\n"
        "RuntimeError: gauge silent\n"
    ),
    "data/tides.csv": "gauge,hour,level\n3,0,1.20\n3,1,1.31\n7,0,0.92\n7,1,error\n9,0,2.04\n",
    "data/clean.csv": "gauge,hour,level\n3,0,1.20\n7,0,0.92\n9,0,2.04\n",
    "data/gauges.json": '{"gauges": [{"id": 3, "status": "ok"}, {"id": 7, "status": "failed", "error": "silent"}]}\n',
    "data/broken.json": '{"gauges": [3, 7,, 9]}\n',
    "data/stations.xml": "<stations><station id='3'>Pier</station><station id='7'>Weir</station></stations>\n",
    "data/broken.xml": "<stations><station id='3'>Pier</stations>\n",
    "data/names.xsl": (
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:output method='text'/>"
        "<xsl:template match='station'><xsl:value-of select='.'/>;</xsl:template></xsl:stylesheet>\n"
    ),
    "deploy/site.yaml": "name: gauges\nretries: 3\non_error: restart\n",
    "deploy/broken.yaml": "name: gauges\n  retries: [3\n",
    "deploy/main.tf": 'output "gauges" {\n  value = 3\n}\n',
    "deploy/broken.tf": 'output "gauges" {\n  value = \n}\n',
    "deploy/nginx.conf": "events {}\nhttp { server { listen 18091; } }\n",
    "deploy/bad.conf": "events {}\nhttp { serve { listen 18091; } }\n",
    "py/level.py": (
        "def mean(levels):\n    return sum(levels) / len(levels)\n\n\ndef parse(row):\n    gauge, hour, level = row.split(',')\n"
        "    return int(gauge), int(hour), float(level)\n"
    ),
    "py/report.py": (
        "import sys, level\nrows = open(sys.argv[1]).read().split()[1:]\nread = [level.parse(row) for row in rows]\n"
        "print(f'{len(read)} readings, mean {level.mean([r[2] for r in read]):.2f}')\n"
    ),
    "py/careful.py": (
        "import logging, sys, level\nlogging.basicConfig(level=logging.INFO)\nkept = 0\n"
        "for row in open('data/tides.csv').read().split()[1:]:\n    try:\n        level.parse(row)\n        kept += 1\n"
        "    except ValueError as error:\n        logging.error('row left out: %s', error)\nprint(kept, 'rows kept')\n"
    ),
    "py/logged.py": (
        "import logging, level\nlogging.basicConfig()\nkept = 0\nfor row in open('data/tides.csv').read().split()[1:]:\n"
        "    try:\n        level.parse(row)\n        kept += 1\n    except ValueError:\n"
        "        logging.exception('row left out')\nprint(kept, 'rows kept')\n"
    ),
    "py/again.py": (
        "import sys\nfor attempt in range(1, 4):\n    if attempt < 3:\n"
        "        print(f'attempt {attempt} failed: Connection refused, trying again', file=sys.stderr)\n    else:\n"
        "        print('sent 5 readings')\n"
    ),
    "py/gives_up.py": (
        "import sys\nfor attempt in range(1, 4):\n"
        "    print(f'attempt {attempt} failed: Connection refused', file=sys.stderr)\n"
        "sys.exit('giving up after 3 attempts')\n"
    ),
    "py/warns.py": "import warnings\nwarnings.warn('parse_all is deprecated', DeprecationWarning, stacklevel=1)\nprint('parsed 5')\n",
    "py/unclosed.py": "print('level'\n",
    "py/untyped.py": "import os\ndef mean(levels: list[float]) -> int:\n    return sum(levels) / len(levels)\n",
    "py/test_level.py": (
        "import pytest, level\n\n\ndef test_mean():\n    assert level.mean([1, 3]) == 2\n\n\n"
        "def test_error_of_a_bad_row():\n    with pytest.raises(ValueError):\n        level.parse('7,1,error')\n"
    ),
    "py/test_wrong.py": "import level\n\n\ndef test_mean():\n    assert level.mean([1, 3]) == 3\n",
    "py/test_unit.py": (
        "import unittest, level\n\n\nclass Failures(unittest.TestCase):\n    def test_error(self):\n"
        "        with self.assertRaises(ZeroDivisionError):\n            level.mean([])\n"
    ),
    "js/level.js": "exports.mean = (levels) => levels.reduce((a, b) => a + b, 0) / levels.length;\n",
    "js/level.test.js": (
        "const test = require('node:test'); const assert = require('node:assert'); const { mean } = require('./level');\n"
        "test('mean of two', () => assert.equal(mean([1, 3]), 2));\ntest('error: none gives NaN', () => assert.ok(Number.isNaN(mean([]))));\n"
    ),
    "js/wrong.test.js": (
        "const test = require('node:test'); const assert = require('node:assert'); const { mean } = require('./level');\n"
        "test('mean of two', () => assert.equal(mean([1, 3]), 3));\n"
    ),
    "js/send.js": "const send = (n) => { if (n < 2) throw new Error('queue full'); return n; };\nfor (const n of [1, 2, 3]) { try { console.log('sent', send(n)); } catch (error) { console.error('not sent yet:', error.message); } }\n",
    "js/throws.js": "const gauges = undefined;\nconsole.log('reading');\nconsole.log(gauges.length);\n",
    "js/package.json": '{"name": "gauges", "version": "1.0.0", "scripts": {"test": "node --test level.test.js", "check": "node --check throws.js", "report": "node throws.js"}}\n',
    "c/level.c": '#include <stdio.h>\nint main(void) { int unused; printf("level %.2f\\n", 1.2); return 0; }\n',
    "c/bad.c": '#include <stdio.h>\nint main(void) { printf("%d\\n", lvel); return 0 }\n',
    "c/crash.c": "#include <stdlib.h>\nint main(void) { int *level = NULL; abort(); return *level; }\n",
    "c/Makefile": "all: level\nlevel: level.c\n\tcc -Wall -o level level.c\nbroken: bad.c\n\tcc -o bad bad.c\ntolerant:\n\t-rm nothing_there\n\t@echo built with 0 errors\n",
    "cpp/level.cpp": "#include <iostream>\n#include <stdexcept>\nint main() { try { throw std::runtime_error(\"gauge silent\"); } catch (const std::exception& e) { std::cerr << \"error: \" << e.what() << \", using last level\\n\"; } std::cout << \"level 1.2\\n\"; }\n",
    "cpp/throws.cpp": "#include <stdexcept>\nint main() { throw std::runtime_error(\"gauge silent\"); }\n",
    "cmake/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(level C)\nadd_executable(level ../c/level.c)\n",
    "cmake_bad/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(level C)\nfind_package(Gaugelib REQUIRED)\n",
    "ninja/build.ninja": "rule cc\n  command = cc -o $out $in\nbuild level: cc ../c/level.c\nbuild bad: cc ../c/bad.c\n",
    "rs/Cargo.toml": "[package]\nname = \"level\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    "rs/src/main.rs": "fn mean(levels: &[f64]) -> f64 { levels.iter().sum::<f64>() / levels.len() as f64 }\nfn main() {\n    let unread = std::panic::catch_unwind(|| { let none: Vec<f64> = vec![]; none[0] }).is_err();\n    println!(\"mean {:.1}, one unread: {}\", mean(&[1.0, 2.0]), unread);\n}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn error_free() { assert_eq!(super::mean(&[1.0, 3.0]), 2.0); }\n    #[test]\n    #[should_panic]\n    fn panics() { panic!(\"failed as it should\"); }\n}\n",
    "rs/borrow.rs": "fn main() { let a = vec![1]; let b = a; println!(\"{}\", a.len()); }\n",
    "rs/panic.rs": "fn main() { let levels: Vec<f64> = vec![]; println!(\"reading\"); println!(\"{}\", levels[0]); }\n",
    "go/go.mod": "module example.org/level\n\ngo 1.19\n",
    "go/level.go": "package main\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc read(id int) (float64, error) {\n\tif id == 7 {\n\t\treturn 0, errors.New(\"gauge silent\")\n\t}\n\treturn 1.2, nil\n}\n\nfunc main() {\n\tfor _, id := range []int{3, 7} {\n\t\tif level, err := read(id); err != nil {\n\t\t\tfmt.Fprintln(os.Stderr, \"gauge\", id, \"error:\", err)\n\t\t} else {\n\t\t\tfmt.Println(\"gauge\", id, level)\n\t\t}\n\t}\n}\n",
    "go/level_test.go": "package main\n\nimport \"testing\"\n\nfunc TestErrorOfSilentGauge(t *testing.T) {\n\tif _, err := read(7); err == nil {\n\t\tt.Fatal(\"no error\")\n\t}\n}\n",
    "gobad/go.mod": "module example.org/bad\n\ngo 1.19\n",
    "gobad/main.go": "package main\n\nfunc main() { level := 1\n\tprintln(lvl) }\n",
    "gobad/main_test.go": "package main\n",
    "gopanic/go.mod": "module example.org/boom\n\ngo 1.19\n",
    "gopanic/main.go": "package main\n\nfunc main() { var levels []float64; println(levels[3]) }\n",
    "java/Level.java": "public class Level { public static void main(String[] a) { try { Integer.parseInt(\"error\"); } catch (NumberFormatException e) { System.err.println(\"bad row: \" + e.getMessage()); } System.out.println(\"level 1.2\"); } }\n",
    "java/Bad.java": "public class Bad { public static void main(String[] a) { int level = \"high\"; } }\n",
    "java/Throws.java": "public class Throws { public static void main(String[] a) { throw new IllegalStateException(\"gauge silent\"); } }\n",
    "rb/level.rb": "rows = File.readlines('data/tides.csv').drop(1)\nlevels = rows.map { |row| Float(row.split(',')[2]) rescue (warn \"left out: #{row.strip}\"; nil) }.compact\nputs \"#{levels.size} levels\"\n",
    "rb/raises.rb": "rows = File.readlines('data/tides.csv').drop(1)\nputs rows.map { |row| Float(row.split(',')[2]) }.sum\n",
    "php/level.php": "<?php\ntry { throw new RuntimeException('gauge silent'); } catch (Exception $e) { echo 'caught: ', $e->getMessage(), \"\\n\"; }\necho \"level 1.2\\n\";\n",
    "php/throws.php": "<?php\necho \"reading\\n\";\nthrow new RuntimeException('gauge silent');\n",
    "php/bad.php": "<?php\necho 'level'\necho 1;\n",
    "lua/level.lua": "local ok, err = pcall(function() error('gauge silent') end)\nprint('ok?', ok, err)\nprint('level 1.2')\n",
    "lua/raises.lua": "print('reading')\nlocal gauge\nprint(gauge.level)\n",
    "pl/level.pl": "use strict; use warnings;\neval { die \"gauge silent\\n\" }; print \"went on after: $@\" if $@;\nprint \"level 1.2\\n\";\n",
    "pl/dies.pl": "use strict; use warnings;\nopen(my $in, '<', 'data/none.csv') or die \"no tides: $!\";\n",
    "tcl/level.tcl": "if {[catch {error {gauge silent}} why]} { puts \"error caught: $why\" }\nputs {level 1.2}\n",
    "tcl/raises.tcl": "puts reading\nputs $level\n",
    "f/level.f90": "program level\n print '(a,f4.1)', 'level', 1.2\nend program\n",
    "f/bad.f90": "program level\n implicit none\n lvl = 1.2\nend program\n",
    "ml/level.ml": "let () = try failwith \"gauge silent\" with Failure m -> Printf.printf \"failed once: %s\\n\" m\nlet () = print_endline \"level 1.2\"\n",
    "ml/bad.ml": "let () = print_endline (1 + \"a\")\n",
    "pro/level.pl": ":- initialization(main, main).\nmain :- catch(atom_length(_, _), _, format(\"one failed, went on~n\")), format(\"level 1.2~n\").\n",
    "pro/fails.pl": ":- initialization(main, main).\nmain :- atom_length(_, _).\n",
    "scm/level.scm": "(display \"level 1.2\") (newline)\n",
    "scm/bad.scm": "(display \"reading\") (newline) (car 7)\n",
    "sh/nightly.sh": "#!/bin/sh\ncp data/none.csv /tmp/hard-usual-none 2>/dev/null || echo 'no extra tides, using the usual ones'\nwc -l < data/tides.csv\necho 'nightly: 0 failed'\n",
    "sh/broken.sh": "#!/bin/sh\ncd data/none || exit 3\necho never\n",
    "sh/careless.sh": "#!/bin/sh\ncp data/none.csv backup.csv\necho backed up\n",
    "sh/unquoted.sh": "#!/bin/sh\nrm $1\n",
    "bats/level.bats": "@test 'level is read' { [ 1 -eq 1 ]; }\n@test 'an error is told' { run false; [ $status -eq 1 ]; }\n",
    "bats/wrong.bats": "@test 'level is read' { [ 1 -eq 1 ]; }\n@test 'mean is right' { [ 1 -eq 2 ]; }\n",
    "dot/map.dot": "digraph { pier -> weir; weir -> error; }\n",
    "dot/bad.dot": "digraph { pier -> -> weir; }\n",
    "po/de.po": 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "error"\nmsgstr "Fehler"\n',
    "po/bad.po": 'msgid "error"\nmsgstr "Fehler\n',
    "y/level.y": "%{\nint yylex(void); void yyerror(const char *s);\n%}\n%token LEVEL\n%%\nrow: LEVEL;\n%%\n",
    "y/bad.y": "%token LEVEL\n%%\nrow: LEVLE ;\n",
    "l/level.l": "%%\n[0-9]+ { }\nerror { }\n%%\n",
    "html/index.html": "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Errors</title></head><body><p>0 failed</p></body></html>\n",
    "html/bad.html": "<!DOCTYPE html>\n<html><head><title>x</title></head><body><gauge>1</gauge></body></html>\n",
    "sql/levels.sql": "create table level(gauge int, hour int, level real, error text);\ninsert into level values (3, 0, 1.2, ''), (7, 0, 0.9, 'Connection refused'), (7, 1, null, 'failed');\n",
    "sql/bad.sql": "create tabel level(gauge int);\n",
    "patches/readme.patch": "--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n-# Gauges\n+# Tide gauges\n \n Reads tide gauges. See docs/errors.md when a reading failed.\n",
    "patches/stale.patch": "--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n-# Thermometers\n+# Tide gauges\n \n Reads thermometers.\n",
    "pom.xml": "<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>level</artifactId><version>1</version></project>\n",
    "mvn_bad/pom.xml": "<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId></project>\n",
}  # fmt: skip

SETUP = r"""
git init -q -b main . && git config user.email dev@example.org && git config user.name Dev
git add README.md docs data && git commit -q -m "Gauges and their errors"
git add py js && git commit -q -m "Fix: reading failed when a gauge was silent"
git checkout -q -b drift && sed -i 's/# Gauges/# Gauges that drift/' README.md && git commit -q -am "Drift" && git checkout -q main
git checkout -q -b rename && sed -i 's/# Gauges/# Tide gauges/' README.md && git commit -q -am "Rename" && git checkout -q main
sqlite3 tides.db < sql/levels.sql
tar czf data.tar.gz data && head -c 300 data.tar.gz > cut.tar.gz
(cd data && zip -q ../data.zip tides.csv clean.csv) && head -c 200 data.zip > cut.zip
gzip -k < logs/reader.log > reader.log.gz && xz -k < logs/reader.log > reader.log.xz && zstd -q < logs/reader.log > reader.log.zst
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=gauges 2>/dev/null
sha256sum data/*.csv > SUMS && sed 's/^./x/' SUMS > BADSUMS && sed 's/^[0-9a-f]\{4\}/0000/' SUMS > OTHERSUMS
python3 -m venv --without-pip env
"""
