"""The folder in which the commands of `hard_marked` run: an orchard's small programs, with what is wrong on purpose."""

from __future__ import annotations

FILES: dict[str, str] = {
    "README.md": "# Orchard\n\nCounts apples. `error: frost` in a log means that a sensor froze.\n",
    "log/frost.log": (
        "03:10 INFO sensors up\n03:12 ERROR row 4: frost, reading failed\n03:13 FATAL pump: Connection refused\n"
        "03:14 INFO pump restarted\n03:20 ERROR row 9: No such file or directory\n03:21 INFO 2 errors, both handled\n"
    ),
    "log/ci.txt": (
        "== 3 failed, 18 passed in 2.11s ==\nmake: *** [Makefile:4: test] Error 1\n"
        "Error: Process completed with exit code 2.\n"
    ),
    "log/exit_codes.txt": "Exit codes\n\nexit code 1: frost\nexit code 2: no sensor\nexit status 3 is for the pump\n",
    "data/trees.csv": "tree,kind,kilos\n1,Boskoop,41.5\n2,Elstar,38\n3,Elstar,frost\n4,Gala,29.25\n",
    "data/good.csv": "tree,kind,kilos\n1,Boskoop,41.5\n2,Elstar,38\n4,Gala,29.25\n",
    "data/trees.json": '{"trees": [{"id": 1, "state": "ok"}, {"id": 3, "state": "failed", "error": "frost"}]}\n',
    "data/torn.json": '{"trees": [{"id": 1, "state": "ok"}, {"id": 3, "state": \n',
    "data/trees.xml": "<orchard><tree id='1'>Boskoop</tree><tree id='3' error='frost'>Elstar</tree></orchard>\n",
    "data/torn.xml": "<orchard><tree id='1'>Boskoop</tree><tree>\n",
    "data/list.xsl": (
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:output method='text'/>"
        "<xsl:template match='/'><xsl:message>error count: 0</xsl:message><xsl:value-of select='count(//tree)'/>"
        "</xsl:template></xsl:stylesheet>\n"
    ),
    "data/torn.xsl": "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:nothing\n",
    "sql/trees.sql": (
        "create table tree(id int primary key, kind text, error text);\n"
        "insert into tree values (1, 'Boskoop', ''), (3, 'Elstar', 'fatal: frost'), (4, 'Gala', 'failed twice');\n"
    ),
    "sql/torn.sql": "insert into tree values (1, 'Boskoop', '');\nselect kilos frm tree;\n",
    "c/kilos.c": (
        '#include <stdio.h>\n#include <errno.h>\n#include <string.h>\nint main(void) {\n'
        '    FILE *own = fopen("own.conf", "r");\n'
        '    if (!own) fprintf(stderr, "own.conf: %s, the usual settings are taken\\n", strerror(errno));\n'
        '    printf("108.75 kilos, 1 error\\n");\n    return 0;\n}\n'
    ),
    "c/loud.c": '#include <stdio.h>\nint error_of(int x) { int failed = x; return 0; }\nint main(void) { char s[2]; sprintf(s, "%s", "abc"); return error_of(1); }\n',
    "c/torn.c": '#include <stdio.h>\nint main(void) {\n    printf("%d\\n", kilos)\n    return 0;\n}\n',
    "c/unlinked.c": "int harvest(int tree);\nint main(void) { return harvest(3); }\n",
    "c/faults.c": "#include <stdio.h>\nint main(void) { puts(\"counting\"); fflush(stdout); int *tree = 0; return *tree; }\n",
    "c/half.c": "#include <stdio.h>\nint main(void) { puts(\"2 rows\"); fputs(\"half: row 3 is torn\\n\", stderr); return 2; }\n",
    "c/Makefile": (
        "all: kilos\nkilos: kilos.c\n\tcc -o kilos kilos.c\ntorn: torn.c\n\tcc -o torn torn.c\n"
        "errors:\n\t@echo 'error report: 0 failed, 4 passed'\nclean:\n\t-rm kilos_old\n\t@echo cleaned\n"
    ),
    "cpp/kilos.cpp": "#include <iostream>\n#include <stdexcept>\nint main() {\n  try { throw std::out_of_range(\"row 3\"); }\n  catch (const std::exception& e) { std::cerr << \"exception: \" << e.what() << \" (row passed over)\\n\"; }\n  std::cout << \"3 rows read\\n\";\n}\n",
    "cpp/torn.cpp": "#include <vector>\nint main() { std::vector<int> rows = \"three\"; return rows.size(); }\n",
    "cpp/throws.cpp": "#include <stdexcept>\n#include <iostream>\nint main() { std::cout << \"reading\\n\"; throw std::out_of_range(\"row 3\"); }\n",
    "go/go.mod": "module example.org/orchard\n\ngo 1.19\n",
    "go/main.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"strconv\"\n)\n\nfunc main() {\n\tdefer func() {\n\t\tif why := recover(); why != nil {\n\t\t\tfmt.Println(\"recovered:\", why)\n\t\t}\n\t}()\n\tfor _, word := range []string{\"41.5\", \"frost\"} {\n\t\tif _, err := strconv.ParseFloat(word, 64); err != nil {\n\t\t\tfmt.Fprintln(os.Stderr, \"error:\", err)\n\t\t\tcontinue\n\t\t}\n\t\tfmt.Println(\"read\", word)\n\t}\n\tvar none []int\n\tfmt.Println(none[3])\n}\n",
    "gotorn/go.mod": "module example.org/torn\n\ngo 1.19\n",
    "gotorn/main.go": "package main\n\nimport \"os\"\n\nfunc main() { kilos = 3 }\n",
    "godies/go.mod": "module example.org/dies\n\ngo 1.19\n",
    "godies/main.go": "package main\n\nimport \"log\"\n\nfunc main() {\n\tlog.Println(\"reading rows\")\n\tlog.Fatalf(\"row %d: frost\", 3)\n}\n",
    "godies/main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestKilos(t *testing.T) { t.Errorf(\"kilos: got 3, want 4\") }\n",
    "rs/ok.rs": "use std::panic;\nfn main() {\n    let worker = std::thread::spawn(|| { panic!(\"frost\") });\n    let lost = worker.join().is_err();\n    let _ = panic::catch_unwind(|| { let rows: Vec<i32> = vec![]; rows[1] });\n    println!(\"rows kept: 3, worker lost: {lost}\");\n    println!(\"all rows counted\");\n}\n",
    "rs/unwraps.rs": "fn main() {\n    println!(\"reading\");\n    let kilos: f64 = \"frost\".parse().unwrap();\n    println!(\"{kilos}\");\n}\n",
    "rs/exits.rs": "fn main() -> Result<(), String> { println!(\"reading\"); Err(\"row 3 holds no number\".into()) }\n",
    "rs/torn.rs": "fn main() { let kilos: i32 = \"41\"; println!(\"{}\", kilos); }\n",
    "java/Kilos.java": "public class Kilos {\n  public static void main(String[] a) {\n    try { Double.parseDouble(\"frost\"); } catch (NumberFormatException e) { e.printStackTrace(); }\n    System.out.println(\"3 rows, 1 passed over\");\n  }\n}\n",
    "java/Torn.java": "public class Torn { public static void main(String[] a) { kilos = 3; } }\n",
    "java/Dies.java": "public class Dies { public static void main(String[] a) { System.out.println(\"reading\"); Object tree = null; tree.toString(); } }\n",
    "js/kilos.js": "const rows = ['41.5', '{', '38'];\nlet kept = 0;\nfor (const row of rows) {\n  try { JSON.parse(row); kept += 1; } catch (error) { console.error(error); }\n}\nconsole.log(`${kept} of ${rows.length} rows kept`);\n",
    "js/rejects.js": "console.log('asking');\nPromise.reject(new Error('no sensor answered'));\n",
    "js/exits.js": "console.error('Sensors: 2 of 5 could not be reached');\nprocess.exit(1);\n",
    "js/torn.js": "const rows = [1, 2;\nconsole.log(rows);\n",
    "js/package.json": '{"name": "orchard", "version": "1.0.0", "scripts": {"count": "node kilos.js", "ask": "node rejects.js", "lint": "node exits.js"}}\n',
    "py/kilos.py": "import csv, sys, traceback\nkept = 0\nfor row in csv.DictReader(open('data/trees.csv')):\n    try:\n        float(row['kilos'])\n        kept += 1\n    except ValueError:\n        traceback.print_exc()\nprint(kept, 'rows kept')\n",
    "py/sums.py": "import csv\nrows = list(csv.DictReader(open('data/trees.csv')))\nprint(len(rows), 'rows')\nprint(sum(float(row['kilos']) for row in rows))\n",
    "py/argues.py": "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--tree', type=int, required=True)\nprint(parser.parse_args())\n",
    "py/exits.py": "import sys\nprint('Checked 4 trees')\nprint('Tree 3 has frost')\nsys.exit(1)\n",
    "py/says.py": "import sys\nprint('checking sensors')\nsys.exit('sensor 3 does not answer')\n",
    "py/logs.py": "import logging\nlogging.basicConfig(format='%(levelname)s %(message)s')\nlogging.error('sensor 3 failed, its last value is used')\nlogging.critical('pump off')\nprint('watered 3 of 4 rows')\n",
    "py/test_kilos.py": "import pytest\n\n\ndef test_error_is_raised():\n    with pytest.raises(ValueError):\n        float('frost')\n\n\n@pytest.mark.xfail\ndef test_fails_for_now():\n    assert 0\n",
    "py/test_torn.py": "def test_sum():\n    assert sum([41.5, 38]) == 80\n\n\ndef test_kind():\n    assert 'Gala' in {'Gala': 1}\n",
    "py/unit_torn.py": "import unittest\n\n\nclass Kilos(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(sum([1, 2]), 4)\n",
    "rb/kilos.rb": "require 'csv'\nCSV.foreach('data/trees.csv', headers: true) do |row|\n  Float(row['kilos'])\nrescue ArgumentError => e\n  warn e.full_message(highlight: false)\nend\nputs 'rows read'\n",
    "rb/dies.rb": "puts 'reading'\nabort 'row 3: frost instead of a number'\n",
    "rb/raises.rb": "trees = { 1 => 'Boskoop' }\nputs trees.fetch(3)\n",
    "pl/kilos.pl": "use strict; use warnings;\nmy $n = 0;\nfor my $k ('41.5', 'frost') { $n += $k }\nwarn \"error budget left: 2\\n\";\nprint \"$n kilos\\n\";\n",
    "pl/dies.pl": "use strict; use warnings;\nprint \"reading\\n\";\nmy %tree = (1 => 'Boskoop');\ndie \"tree 3 is not planted\" unless $tree{3};\n",
    "php/kilos.php": "<?php\necho 'kilos: ', array_sum([41.5, 38]), \"\\n\";\necho $none['row'] ?? 'error: none', \"\\n\";\n",
    "php/dies.php": "<?php\necho \"reading\\n\";\nfunction harvest(int $tree): int { return $tree; }\nharvest('frost');\n",
    "lua/kilos.lua": "local ok, why = xpcall(function() error('frost') end, debug.traceback)\nio.stderr:write(why, '\\n')\nprint('rows read: 3')\n",
    "lua/dies.lua": "print('reading')\nerror('no tree 3')\n",
    "tcl/kilos.tcl": "if {[catch {expr {1/0}} why opts]} { puts stderr [dict get $opts -errorinfo] }\nputs {3 rows}\n",
    "tcl/dies.tcl": "puts reading\nopen none.csv\n",
    "ml/dies.ml": "let () = print_endline \"reading\"\nlet _ = List.assoc 3 [1, \"Boskoop\"]\n",
    "pro/kilos.pl": ":- initialization(main, main).\nmain :- catch(number_codes(_, \"frost\"), E, (print_message(error, E))), format(\"3 rows~n\").\nmain :- format(\"3 rows~n\").\n",
    "scm/dies.scm": "(display \"reading\")\n(newline)\n(vector-ref (vector 1 2) 5)\n",
    "f/dies.f90": "program kilos\n  real :: x\n  open(10, file='none.csv', status='old')\n  read(10, *) x\nend program\n",
    "sh/harvest.sh": "#!/bin/bash\nset -e\necho 'counting'\ncat data/own.csv\necho 'never said'\n",
    "sh/careful.sh": "#!/bin/bash\nrm data/old.csv 2>&1\nkill 4190000 2>&1\nfor try in 1 2 3; do\n  if [ $try -lt 3 ]; then echo \"try $try: error: pump busy\" >&2; else echo 'pump on'; fi\ndone\n",
    "sh/undone.sh": "#!/bin/sh\nif [ 1 = 1 ]; then\necho counting\n",
    "bats/ok.bats": "@test 'an error is told' { run cat none; [ $status -ne 0 ]; }\n@test 'failed rows are counted' { true; }\n",
    "bats/torn.bats": "@test 'rows are read' { true; }\n@test 'kilos are right' { [ 80 -eq 79 ]; }\n",
    "cmake/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(kilos C)\nmessage(WARNING \"error pages are left out\")\nadd_executable(kilos ../c/kilos.c)\n",
    "cmake_torn/CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(kilos C)\nadd_executable(kilos none.c)\n",
    "ninja/build.ninja": "rule cc\n  command = cc -o $out $in\nbuild kilos: cc ../c/kilos.c\nbuild torn: cc ../c/torn.c\n",
    "y/kilos.y": "%token ROW\n%%\nrows: ROW | rows ROW | rows error;\n%%\n",
    "y/torn.y": "%token ROW\n%%\nrows: ROW | rows ROWS ;\n",
    "l/torn.l": "%%\n[0-9+ { return 1; }\n%%\n",
    "s/ok.s": ".globl main\nmain:\n  ret\n",
    "s/torn.s": ".globl main\nmain:\n  harvest %rax\n",
    "po/torn.po": 'msgid "frost"\nmsgstr "Frost\n',
    "dot/torn.dot": "digraph { boskoop -> ; }\n",
    "deploy/main.tf": 'variable "rows" {\n  default = 3\n}\n',
    "deploy/torn.tf": 'variable "rows" {\n  default = \n}\n',
    "deploy/torn.conf": "events {}\nhttp { listen_to 80; }\n",
    "patches/stale.patch": "--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n-# Vineyard\n+# Orchard of apples\n \n Counts grapes.\n",
    "patches/fresh.patch": "--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n-# Orchard\n+# Orchard of apples\n \n Counts apples. `error: frost` in a log means that a sensor froze.\n",
    "man/kilos.1": ".TH KILOS 1\n.SH NAME\nkilos \\- count apples\n.SH EXIT STATUS\nExit status 1 tells of an error, 2 that nothing was found.\n",
}  # fmt: skip

SETUP = r"""
git init -q -b main . && git config user.email dev@example.org && git config user.name Dev
git add README.md data log && git commit -q -m "Fix error: reading failed after frost"
git checkout -q -b pears && sed -i 's/apples/pears/' README.md && git commit -q -am "Pears" && git checkout -q main
git checkout -q -b plums && sed -i 's/apples/plums/' README.md && git commit -q -am "Plums" && git checkout -q main
sqlite3 trees.db < sql/trees.sql
tar czf data.tgz data && head -c 250 data.tgz > torn.tgz
zip -q data.zip data/*.csv && head -c 150 data.zip > torn.zip
for how in gzip bzip2 xz; do $how -k < log/frost.log > frost.$how; head -c 60 frost.$how > torn.$how; done
zstd -q < log/frost.log > frost.zst; lz4 -q < log/frost.log > frost.lz4 2>/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=orchard 2>/dev/null
sha256sum data/*.csv > SUMS && sed 's/^[0-9a-f]\{4\}/0000/' SUMS > TORNSUMS && md5sum data/* > MD5S
printf 'caf\xe9\n' > latin.txt
truncate -s 4M disk.img && mkfs.ext4 -q -F disk.img 2>/dev/null
"""
