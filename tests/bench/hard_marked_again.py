"""What took the place of `hard_marked`'s third once that was looked at: other commands, in the same folder and more.

Written after the rules that the others led to, before anything of it was judged; all of it was held out, and has led to
rules since.
"""

from __future__ import annotations

FILES: dict[str, str] = {
    "lake/depth.py": (
        "import json, logging, sys\nlogging.basicConfig(level='INFO')\nlog = logging.getLogger('depth')\n"
        "for name in sys.argv[1:]:\n    try:\n        print(name, len(json.load(open(name))))\n"
        "    except (OSError, ValueError):\n        log.exception('%s was left out', name)\nprint('done')\n"
    ),
    "lake/strict.py": "import json, sys\nfor name in sys.argv[1:]:\n    print(name, len(json.load(open(name))))\n",
    "lake/exits.py": "import sys\nprint('error: 2 buoys are adrift', file=sys.stderr)\nsys.exit(2)\n",
    "lake/test_depth.py": "import unittest\n\n\nclass Errors(unittest.TestCase):\n    def test_failed_read(self):\n        with self.assertLogs(level='ERROR'):\n            import logging\n            logging.error('buoy lost')\n",
    "lake/test_wrong.py": "import unittest\n\n\nclass Depth(unittest.TestCase):\n    def test_mean(self):\n        self.assertAlmostEqual(sum([1, 2]) / 2, 2)\n",
    "lake/buoys.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\ntest('throws: buoy lost', () => assert.throws(() => { throw new Error('lost'); }));\n",
    "lake/wrong.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\ntest('mean', () => assert.strictEqual(3 / 2, 2));\n",
    "lake/pour.js": "const fs = require('fs');\ntry { fs.readFileSync('none.json'); } catch (e) { console.warn('warning:', e.message); }\nconsole.log('poured 3');\n",
    "lake/reads.js": "const fs = require('fs');\nconsole.log(JSON.parse(fs.readFileSync(process.argv[2])).length);\n",
    "lake/mod.go": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"errors: 0, failed: none\") }\n",
    "lake/nil.go": "package main\n\ntype buoy struct{ depth float64 }\n\nfunc main() { var b *buoy; println(b.depth) }\n",
    "lake/Depth.java": "public class Depth { public static void main(String[] a) { System.err.println(\"SEVERE: buoy 3 lost, buoy 4 used\"); System.out.println(\"mean 2.5\"); } }\n",
    "lake/Parse.java": "public class Parse { public static void main(String[] a) { System.out.println(Integer.parseInt(\"deep\")); } }\n",
    "lake/depth.rb": "begin\n  Integer('deep')\nrescue ArgumentError => e\n  warn \"rescued: #{e.message}\"\nend\nputs 'mean 2.5'\n",
    "lake/wrong.rb": "puts [1, 2].sum { |d| d.depth }\n",
    "lake/depth.pl": "use strict; use warnings; $| = 1;\nfor my $f ('none.txt', 'README.md') { open(my $h, '<', $f) or do { warn \"$f: $!\\n\"; next }; print \"$f read\\n\"; }\n",
    "lake/wrong.pl": "use strict; use warnings;\n$depth = 3;\nprint $depth;\n",
    "lake/depth.c": "#include <stdio.h>\n#include <assert.h>\nint main(int n, char **v) { assert(n > 1); puts(\"error margin 0.1\"); return 0; }\n",
    "lake/Makefile": "all: a b\na:\n\t@echo 'a is built, errors: 0'\nb:\n\t@cat none.txt\nboth: a\n\t@cat none.txt || echo 'none.txt is optional'\n",
    "lake/run.sh": "#!/bin/bash\nset -euo pipefail\necho \"depths of $LAKE_NAME\"\n",
    "lake/wait.sh": "#!/bin/bash\nfor n in 1 2 3; do [ $n = 3 ] && { echo 'buoy answered'; exit 0; }; echo \"attempt $n failed: timed out\"; done\n",
    "lake/nginx.conf": "events {}\nerror_log stderr warn;\nhttp { server { listen 18096; } }\n",
    "lake/list.txt": "deep\nshallow\nerror\n",
    "lake/other.txt": "deep\nfailed\n",
}  # fmt: skip

WORKED = """
«python3 lake/depth.py data/trees.json»
«python3 lake/depth.py data/trees.json data/torn.json» 2>&1 | tail -6
«python3 lake/depth.py data/torn.json»; ls lake
«python3 -m unittest -v lake.test_depth» 2>&1 | tail -5
«python3 -m zipfile -l data.zip»
«python3 -m tarfile -l data.tgz» | tail -2
«python3 -W error::DeprecationWarning -c 'print("error: none")'»
«python3 -c 'import this'» | grep -i error
«node --test lake/buoys.test.js» 2>&1 | tail -9
«node lake/pour.js»
«node lake/pour.js» 2>&1 | tail -2; ls lake
«go run lake/mod.go»
«java lake/Depth.java» 2>&1 | tail -2
«ruby lake/depth.rb»; date +%Y
«ruby lake/depth.rb» 2>&1 | cat
«perl lake/depth.pl»
«perl lake/depth.pl» 2>&1 | tail -2
gcc -o depth lake/depth.c && «./depth 3»
«make -C lake both»
«make -C lake both» 2>&1 | tail -4
«make -C lake a» && echo 'a: no errors'
«bash lake/wait.sh»
«bash lake/wait.sh» 2>&1 | tail -2; echo waited
«sort lake/list.txt lake/other.txt» | uniq -c
«paste lake/list.txt lake/other.txt» | column -t
«nl log/frost.log» | tail -3
«tac log/ci.txt»
«tr a-z A-Z < log/ci.txt»
«cut -d' ' -f2- log/frost.log»
«od -c lake/other.txt» | head -2
«hexdump -C lake/other.txt» | tail -2
«csplit -s log/frost.log /FATAL/ && cat xx01»
«ed -s log/frost.log» <<< '/FATAL/p'
«git blame README.md»
«git log -p -1 -- log» | tail -6
«git tag fails && git tag -l»
«git worktree add ../failed-tree pears» 2>&1 | tail -1; git worktree remove --force ../failed-tree
«git show pears:README.md»
«openssl enc -aes-256-cbc -pbkdf2 -pass pass:error -in README.md -out r.enc && ls r.enc»
«openssl s_client -help» 2>&1 | grep -i error | head -2
«gpg --list-keys» 2>&1 | tail -1
«curl -sI http://127.0.0.1:18099/none» | head -1
«curl -sS http://127.0.0.1:18099/status.json» 2>&1 | jq .error
«wget -S --spider http://127.0.0.1:18099/index.html» 2>&1 | tail -4
«jq -r '.trees[1].error' data/trees.json»
«jq -c '.trees[] | select(.state != "ok")' data/trees.json» | head -1
«nginx -t -p . -e stderr -c lake/nginx.conf -g 'pid n.pid;'» 2>&1 | tail -2
«sqlite3 trees.db "select 'Error: ' || error from tree where id = 3"»
«ip -br link» | head -2
«id nobody»; getent group nogroup
«man ls» 2>/dev/null | grep -i 'exit status' -A4
«tar czf - log» | tar tvzf - | tail -2
«zip -T data.zip»
«xz -l frost.xz» 2>&1 | head -3
«cp -v log/ci.txt failed.txt && mv -v failed.txt error.txt»
«find log -name '*.log' -exec grep -l ERROR {} +»
«awk 'END { print "failures:", NR }' lake/other.txt»
«shuf -n 1 -e 'error: none' 'failed: 0'»
«mkfs.ext4 -F -q small.img 2M» 2>&1; ls small.img
«ctags --version» | head -1
«update-alternatives --list editor» 2>/dev/null | head -2; echo listed
"""

FAILED = """
«python3 lake/strict.py data/torn.json» 2>&1 | tail -3
«python3 lake/strict.py data/trees.json none.json»; ls lake
«python3 lake/strict.py data/torn.json» > s.log 2>&1; echo "ran: $?"; tail -2 s.log
«python3 lake/exits.py»; echo next
«python3 lake/exits.py» 2>&1 | head -1
«python3 -m unittest lake.test_wrong» 2>&1 | tail -3
«python3 -m unittest lake.none» 2>&1 | tail -4
«python3 -m zipfile -l torn.zip» 2>&1 | tail -1
«python3 -m tarfile -l torn.tgz»; echo listed
«python3 -c 'print(1' » 2>&1 | tail -2
«python3 -X none_such lake/none.py»; ls lake | head -2
«node --test lake/wrong.test.js» 2>&1 | tail -12
«node lake/reads.js data/torn.json» 2>&1 | head -9
«node lake/reads.js none.json»; ls data
«node -e 'undefined.depth'» || true
«go run lake/nil.go» 2>&1 | tail -4
«go run lake/none.go»; ls lake
«go vet lake/nope.go» 2>&1 | tail -1
«java lake/Parse.java» 2>&1 | tail -6
«java lake/Parse.java»; echo parsed
«javac lake/None.java» 2>&1 | tail -2
«ruby lake/wrong.rb»; ls lake
«ruby lake/wrong.rb» 2>&1 | head -2
«ruby -rnone_such -e 1» 2>&1 | tail -2
«perl lake/wrong.pl» 2>&1 | tail -2
«perl lake/wrong.pl»; ls lake
«php lake/none.php»; echo next
«php -r 'throw new Exception("no buoy");'» 2>&1 | tail -4
gcc -o depth lake/depth.c; «./depth»; echo measured
gcc -o depth lake/depth.c; «./depth» 2>&1 | tail -1
«make -C lake all» 2>&1 | tail -3
«make -C lake -k all»; ls lake
«make -C nowhere» 2>&1 | tail -1
«bash lake/run.sh» 2>&1 | tail -1
«bash lake/run.sh»; ls lake
«bash lake/none.sh»; true
«comm lake/list.txt lake/none.txt» | head -2
«sort none.txt» | uniq -c
«join lake/list.txt none.txt» 2>&1 | head -1
«cut -f1 none.csv» | head -2
«csplit -s log/frost.log /none/» ; ls | wc -l
«git revert --no-edit 0123abc» 2>&1 | tail -1
«git tag -d none»; git tag -l
«git stash pop» 2>&1 | tail -1
«git worktree add ../none nowhere» 2>&1 | tail -1
«git pull» 2>&1 | tail -3
«git commit -m nothing» 2>&1 | tail -1
«openssl enc -d -aes-256-cbc -pbkdf2 -pass pass:x -in README.md» 2>&1 | head -2
«gpg --verify README.md» 2>&1 | tail -1
«curl -fsS http://127.0.0.1:18099/gone» | head -2
«curl -sS ftp://127.0.0.1:18098/a» 2>&1 | tail -1; date +%Y
«wget -q http://127.0.0.1:18099/gone -O gone.html»; ls -s gone.html
«wget http://127.0.0.1:18099/gone» 2>&1 | tail -2
«jq -e '.none.' data/trees.json» 2>&1 | tail -2
«nginx -t -p . -e stderr -c lake/none.conf» 2>&1 | tail -1
«sqlite3 trees.db 'insert into tree values (1)'» 2>&1 | head -1
«sqlite3 README.md .tables»; echo listed
«id no_such_user»; echo asked
«ip addr show dev none0» 2>&1 | tail -1
«tar rf torn.tgz README.md» 2>&1 | tail -1
«zip -T torn.zip» 2>&1 | tail -2
«xz -t README.md» 2>&1 | head -1; true
«unzip -l none.zip» 2>&1 | tail -1
«chmod u+x none.sh» || true
«rmdir log»; ls log
«touch none/such/file»; ls | head -1
«find none_such -type f» | wc -l
«kill -0 4190000»; echo alive
«mount none.img /mnt» 2>&1 | tail -1
«lsof -p 4190000 -Z» 2>&1 | head -1
«msgfmt -c none.po» 2>&1 | tail -1
«gdb -batch -p 4190000» 2>&1 | tail -1
«localedef -i none_XX -f UTF-8 none» 2>&1 | tail -1
«numfmt --from=iec 3Q5» | head -1
«factor 12a»; seq 2
«timeout 3 nosuchprogram-harvestctl» 2>&1 | tail -1
«npm --prefix js install --offline none-such-package» 2>&1 | tail -4
«npx --no-install none-such-tool» 2>&1 | tail -3
«cargo run --offline --manifest-path js/Cargo.toml» 2>&1 | tail -1
«terraform -chdir=deploy plan -input=false» 2>&1 | tail -4
«docker build none_such» 2>&1 | tail -1
"""
