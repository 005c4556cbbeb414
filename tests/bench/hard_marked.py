"""Commands in which the part that counts is marked, and that part's own exit code is recorded wherever it stands.

    python tests/bench/hard_marked.py          run them, write tests/fixtures/hard_marked.json.xz and hard_marked_held.json.xz
    python tests/bench/hard_marked.py again    run those of hard_marked_again.py, and write hard_marked_again.json.xz

«...» marks the part: it is run in a group that tells its code beside the output, in the pipe or behind the `||` where it
stands, so that what is true of a call is measured. What does not end as it was meant to is left out, as is what a signal
of a closed pipe ended. A third, by a hash of the command, was held out. Written before anything of it was judged.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import hard_marked_again
from hard_marked_files import FILES, SETUP

BROKEN_PIPE = 141
NO_PROGRAM = "harvestctl"
PARTS = 3

WORKED = """
«cat log/frost.log»
«cat log/ci.txt» | tail -3
«tail -2 log/ci.txt»
«cat log/exit_codes.txt»
«head -4 log/exit_codes.txt»; date +%Y > /dev/null
«grep -n 'ERROR\\|FATAL' log/frost.log»
«grep -rn error log data --include='*.log' --include='*.json'»
«awk '/ERROR/ {n++} END {print n " errors"}' log/frost.log»
«awk -F, '{print $3}' data/trees.csv» | sort | uniq -c
«sed -n '/FATAL/,$p' log/frost.log»
«diff data/trees.csv data/good.csv» ; true
«ls -la log data»
«find . -name '*torn*'» | sort | head -12
«wc -l log/*»
«git log --oneline --all»
«git merge pears» 2>&1 | tail -2
«git show --stat HEAD»
«git stash list»; git status --short | head -3
«git grep -n failed -- data log»
«git diff main pears»
«gcc -Wall -o loud c/loud.c» 2>&1 | tail -12
«gcc -o kilos c/kilos.c && ./kilos»
gcc -o kilos c/kilos.c; «./kilos»; ls c
«gcc -Wall -c c/loud.c -o loud.o»; nm loud.o
«make -C c clean»
«make -C c clean» 2>&1 | tail -4; ls c
«make -C c errors»
«make -C c kilos» 2>&1 | tail -3
«g++ -o kilos cpp/kilos.cpp && ./kilos» 2>&1 | tail -3
«g++ -o kilos cpp/kilos.cpp && ./kilos»; echo done
«cmake -S cmake -B out» 2>&1 | tail -9
«ninja -C ninja kilos»
(cd go && «go run .»); ls go
rustc -o ok rs/ok.rs && «./ok»
rustc -o ok rs/ok.rs; «./ok» 2>&1 | tail -3
rustc -o ok rs/ok.rs; «./ok»; ls rs
«rustc -o ok rs/ok.rs» && ls ok
«java java/Kilos.java»
«java java/Kilos.java» 2>&1 | tail -4; ls java
«javac -d out java/Kilos.java» && ls out
«node js/kilos.js»
«node js/kilos.js»; ls js
«node js/kilos.js» 2>&1 | tail -2
«npm --prefix js run count» 2>&1 | tail -2
«python3 py/kilos.py»
«python3 py/kilos.py»; ls py
«python3 py/kilos.py» 2>&1 | tail -2
«python3 py/logs.py»
«python3 py/logs.py» 2>&1 | head -3
«python3 -m pytest -q -rxX py/test_kilos.py» 2>&1 | tail -4
«python3 -m compileall -q py» && echo 'no errors'
«python3 -m json.tool data/trees.json»
«ruby rb/kilos.rb»
«ruby rb/kilos.rb» 2>&1 | tail -1
«ruby -ne 'puts $_ if /ERROR/' log/frost.log»
«perl pl/kilos.pl»
«perl pl/kilos.pl» 2>&1 | tail -3; ls pl
«perl -ne 'print if /error/i' log/ci.txt log/frost.log» | head -5
«php php/kilos.php»
«php -l php/dies.php»; ls php
«lua5.4 lua/kilos.lua»
«lua5.4 lua/kilos.lua» 2>&1 | tail -1
«tclsh tcl/kilos.tcl» 2>&1 | tail -4
«swipl pro/kilos.pl» 2>&1 | tail -3
«bash sh/careful.sh»
«bash sh/careful.sh» 2>&1 | tail -3
«bash -n sh/harvest.sh» && echo 'no syntax errors'
«bats bats/ok.bats»
«bison -o kilos.c y/kilos.y» 2>&1; ls kilos.c
«as -o ok.o s/ok.s && objdump -d ok.o» | tail -3
«readelf -h /bin/true» | head -5
«strings -n 12 /bin/true» | grep -i error | head -5
«jq '.trees[] | select(.error)' data/trees.json»
«jq -r '.trees[].state' data/trees.json» | sort | uniq -c
«xmllint --format data/trees.xml»
«xsltproc data/list.xsl data/trees.xml»
«sqlite3 -box trees.db "select * from tree where error <> ''"»
«sqlite3 trees.db 'select error from tree'» | tail -2
«sqlite3 trees.db .dump» | tail -5
«psql --version»; echo 'error table: none'
«tar tzvf data.tgz» | tail -3
«tar czf new.tgz $PWD/data» 2>&1; ls *.tgz
«unzip -o data.zip -d none_yet» | tail -2
«zip -r new.zip log» | tail -3
«bzip2 -dc < frost.bzip2» | grep -c ERROR
«xz -dc < frost.xz» | tail -2
«zstd -dcq frost.zst» | head -3
«sha256sum -c SUMS»
«md5sum -c MD5S» 2>&1 | tail -2
«openssl x509 -in cert.pem -noout -text» | head -4
«openssl verify -CAfile cert.pem cert.pem»
«openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 9 -subj /CN=error» 2>&1 | tail -3
«curl -s http://127.0.0.1:18099/status.json»
«curl -sS http://127.0.0.1:18099/index.html» | head -2
«curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:18099/none»
curl -sS http://127.0.0.1:18098/ || «curl -sS http://127.0.0.1:18099/status.json»
«curl -sSv http://127.0.0.1:18099/status.json» 2>&1 | tail -6
for n in 1 2 3; do curl -sS http://127.0.0.1:1809$((n + 6))/status.json && break; done 2>&1 | tail -3; «true»
«wget -O - http://127.0.0.1:18099/status.json» 2>&1 | tail -4
«wget -q -O - http://127.0.0.1:18099/index.html» | grep -c error
«nc -zv 127.0.0.1 18099»
«rsync -avn --delete log/ data/» | tail -4
«ss -ltn» | head -4
«getent passwd root»; id -un
«patch -p1 < patches/fresh.patch» && head -1 README.md
«patch -p1 --dry-run < patches/fresh.patch»
«shellcheck sh/careful.sh» ; echo linted
«groff -man -Tascii man/kilos.1» | tail -6
«man -l man/kilos.1» | grep -i exit -A2
«iconv -f latin1 -t utf-8 latin.txt»
«file data.tgz torn.tgz cert.pem»
«xxd torn.tgz» | head -2
«base64 log/ci.txt» | base64 -d | tail -2
«split -l 2 log/frost.log part. && cat part.aa»
echo 'scale=2; 1/3' | «bc -l»
«seq 3» | xargs -I{} echo 'row {} failed once, then worked'
«timeout 5 sh -c 'echo error rate 0.0; sleep 0.1'»
«tee errors.txt < log/frost.log» | tail -1
«strace -f -e trace=openat cat README.md» 2>&1 | tail -4
«valgrind --error-exitcode=9 /bin/true» 2>&1 | tail -3
«gdb --batch -ex 'print 1 + 1' /bin/true» 2>&1 | tail -2
«e2fsck -fn disk.img» 2>&1 | tail -2
«debugfs -R 'stat <2>' disk.img» 2>&1 | head -3
«dpkg -l bash» | tail -1
«dpkg -S /bin/bash» 2>&1; dpkg -s bash | head -2
«apt-get -s autoremove» 2>&1 | tail -3
«nginx -v» 2>&1; nginx -V 2>&1 | head -2
«docker --version»; «kubectl version --client» 2>&1 | head -2
«terraform fmt -check deploy/main.tf» && terraform version | head -1
«ssh-keygen -t ed25519 -N '' -f id_row» | tail -4
«ssh -V» 2>&1 | cut -c1-8
«mkdir -p failed/errors && rmdir -v failed/errors»
«rm -fv none errors.txt» ; ls | head -3
«cp -rv log failed_log» | tail -2
«redis-server --port 18092 --daemonize yes» > /dev/null; sleep 1; «redis-cli -p 18092 set error 'ERR none'»; redis-cli -p 18092 get error; redis-cli -p 18092 shutdown nosave
«ctags -x c/loud.c» | head -3
«vim -es -u NONE -c 'g/ERROR/p' -c q! log/frost.log»; true
«locale -a» | head -3
«python3 -m pip check» 2>&1 | tail -2
"""

FAILED = """
«python3 py/sums.py»
«python3 py/sums.py» 2>&1 | tail -3
«python3 py/sums.py»; ls data
«python3 py/sums.py» > sums.txt 2>&1; tail -1 sums.txt
«python3 py/argues.py» 2>&1 | tail -1
«python3 py/argues.py --tree three» || true
«python3 py/says.py» 2>&1 | tail -2
«python3 py/says.py»; echo next
«python3 -m pytest -q py/test_torn.py» 2>&1 | tail -3
«python3 -m pytest py/test_torn.py» 2>&1 | head -12
«python3 -m unittest py/unit_torn.py» 2>&1 | tail -4
«python3 -m pip install --no-index orchard-none» 2>&1 | tail -1
«python3 -m orchard.kilos»; ls py | head -2
«python3 -c 'import orchard_none'» || echo 'not installed, going on'
«python3 -m json.tool data/torn.json» | head -3
«node js/rejects.js» 2>&1 | tail -8
«node js/rejects.js»; echo asked
«node js/torn.js» 2>&1 | head -5
«node js/none.js» 2>&1 | tail -12
«node js/exits.js»; ls js
«npm --prefix js run ask» 2>&1 | tail -5
«npm --prefix js run none» 2>&1 | tail -4
«npm --prefix js run lint»; true
«gcc -o torn c/torn.c» 2>&1 | tail -4
«gcc -o torn c/torn.c»; echo built
«gcc -o unlinked c/unlinked.c» 2>&1 | tail -2
«gcc -c c/none.c» || true
gcc -o faults c/faults.c 2>/dev/null; «./faults»; echo "ended"
gcc -o half c/half.c; «./half» 2>&1 | tail -2
«make -C c torn» 2>&1 | tail -4
«make -C c torn» || true
«make -C c none»; ls c | head -2
«make -f none.mk»; echo made
«g++ -c cpp/torn.cpp» 2>&1 | head -3
g++ -o throws cpp/throws.cpp; «./throws» 2>&1 | tail -3
«cmake -S cmake_torn -B out» 2>&1 | tail -7
«cmake --build none_yet» | tail -2
«ninja -C ninja torn» 2>&1 | tail -5
«ninja -C ninja none»; ls ninja
(cd gotorn && «go build ./...») 2>&1 | tail -3
(cd gotorn && «go vet ./...»); echo vetted
(cd godies && «go run .») 2>&1 | tail -2
(cd godies && «go test ./...») 2>&1 | tail -5
(cd godies && «go run .»); ls godies
«rustc rs/torn.rs» 2>&1 | tail -3
rustc -o unwraps rs/unwraps.rs; «./unwraps» 2>&1 | tail -3
rustc -o unwraps rs/unwraps.rs; «./unwraps»; ls rs
rustc -o exits rs/exits.rs; «./exits»; echo next
«cargo build --offline --manifest-path none/Cargo.toml» 2>&1 | tail -2
«javac -d out java/Torn.java» 2>&1 | tail -3
«java java/Dies.java» 2>&1 | head -4
«java java/Dies.java»; ls java
«java -cp out None» | head -2
«mvn -o -q -f none.xml package» 2>&1 | tail -3
«ruby rb/dies.rb» 2>&1 | tail -1
«ruby rb/raises.rb»; ls rb
«ruby rb/raises.rb» 2>&1 | tail -3
«gem install --local orchard-none» 2>&1 | tail -2
«perl pl/dies.pl» 2>&1 | tail -1
«perl pl/dies.pl»; echo next
«perl -MOrchard::None -e 1» 2>&1 | tail -1
«php php/dies.php» 2>&1 | tail -5
«php none.php» | tail -1
«lua5.4 lua/dies.lua» 2>&1 | tail -3
«lua5.4 lua/dies.lua»; ls lua
«tclsh tcl/dies.tcl» 2>&1 | tail -4
«ocaml ml/dies.ml» 2>&1 | tail -1
«swipl -g harvest -t halt pro/kilos.pl» 2>&1 | tail -2
«guile --no-auto-compile scm/dies.scm» 2>&1 | tail -2
gfortran -o dies f/dies.f90; «./dies» 2>&1 | tail -3
«bash sh/harvest.sh» 2>&1 | tail -2
«bash sh/harvest.sh»; ls sh
«sh sh/undone.sh» | tail -2
«bats bats/torn.bats» 2>&1 | tail -5
«bison -o kilos.c y/torn.y» 2>&1 | tail -3
«flex -o torn.c l/torn.l»; ls l
«as -o torn.o s/torn.s» 2>&1 | tail -1
«ld -o torn none.o» 2>&1 | tail -1
«ar t none.a»; ls s
«nm README.md» | head -2
«objdump -d README.md» | tail -2
«readelf -h README.md» | head -3
«strip README.md»; echo stripped
«jq .trees data/torn.json» | head -3
«jq '.trees[' data/trees.json» 2>&1 | head -3
«yq .trees none.yaml» 2>&1 | tail -1
«xmllint --noout data/torn.xml» 2>&1 | head -3
«xmllint --noout data/torn.xml»; echo checked
«xsltproc data/torn.xsl data/trees.xml» 2>&1 | tail -2
«sqlite3 -bail trees.db < sql/torn.sql» 2>&1 | tail -2
«sqlite3 trees.db 'select * from apples'»; ls *.db
«psql -h 127.0.0.1 -p 18098 -U dev orchard -c 'select 1'» 2>&1 | tail -3
«redis-cli -p 18098 get tree» 2>&1 | tail -1
«git push origin main» 2>&1 | tail -4
«git checkout apples»; git status --short | head -2
git merge -q pears; «git merge plums» 2>&1 | tail -2
git merge -q pears; «git merge plums»; git status --short | head -2
«git rebase --onto none main» 2>&1 | head -1
«git apply patches/stale.patch» || true
«git cherry-pick 0123abc» 2>&1 | tail -1
«git clone -q http://127.0.0.1:18098/orchard.git» 2>&1 | tail -1
«patch -p1 --forward < patches/stale.patch»; head -1 README.md
«tar xzf torn.tgz -C /tmp» 2>&1 | tail -2
«tar xzf none.tgz»; ls | wc -l
«tar cf new.tar none_such data» | tail -1
«unzip -o torn.zip» 2>&1 | tail -3
«gzip -dc < torn.gzip» 2>&1 | tail -1
«gzip -d README.md»; echo unpacked
«bzip2 -t torn.bzip2» 2>&1 | head -2
«xz -dc < torn.xz» | wc -l
«zstd -dcq README.md» | head -1
«lz4 -dc README.md» 2>&1 | tail -1
«sha256sum -c TORNSUMS» 2>&1 | tail -3
«md5sum none.csv» | cut -c1-8
«openssl x509 -in README.md -noout -subject» 2>&1 | head -2
«openssl verify none.pem» 2>&1 | tail -2
«gpg --decrypt README.md» 2>&1 | tail -1
«curl -sS http://127.0.0.1:18098/apples» | jq .
«curl -sSf http://127.0.0.1:18099/none.html»; echo fetched
curl -sS http://127.0.0.1:18098/ || «curl -sS http://127.0.0.1:18097/»; true
«wget -nv http://127.0.0.1:18099/none.html» 2>&1 | tail -1
«wget -O - http://127.0.0.1:18098/ » 2>&1 | tail -3
«nc -zv 127.0.0.1 18098» 2>&1 | tail -1
«socat - TCP:127.0.0.1:18098» < /dev/null 2>&1 | tail -1
«ssh -o BatchMode=yes -p 18098 dev@127.0.0.1 uptime»; echo asked
«scp -P 18098 README.md dev@127.0.0.1:» 2>&1 | tail -1
«rsync -a none/ copy/» 2>&1 | tail -2
«host orchard.invalid 127.0.0.1» 2>&1 | tail -2
«dig +time=1 +tries=1 @127.0.0.1 -p 18098 orchard.invalid» 2>&1 | tail -2
«docker ps -a» 2>&1 | tail -1
«kubectl --server=http://127.0.0.1:18098 get nodes» 2>&1 | tail -2
«terraform fmt deploy/torn.tf» 2>&1 | head -6
«nginx -t -p . -e stderr -c deploy/torn.conf» 2>&1 | tail -1
«apt-get install -y --no-download orchard-none» 2>&1 | tail -2
«dpkg -i none.deb» 2>&1 | tail -3
«systemctl restart orchard» 2>&1 | tail -2
«dot -Tsvg dot/torn.dot» 2>&1 | tail -2
«convert none.png small.png» 2>&1 | tail -1
«msgfmt -o torn.mo po/torn.po» 2>&1 | tail -2
«iconv -f utf-8 -t latin1 latin.txt» | tail -1
«shellcheck none.sh» 2>&1 | tail -1
«awk 'BEGIN { print 1' data/trees.csv» 2>&1 | head -3
«sed -i 's/a/b' README.md»; head -1 README.md
«cp none.csv data/»; ls data | head -2
«mv log/none.log log/old.log» || true
«cd none/such && ls»; ls | head -2
«source none.env»; echo "set up"
«harvestctl sync» 2>&1 | head -2
«mkdir data/trees.csv/new» 2>&1 | tail -1
«ln -s a b && ln -s a b» 2>&1 | tail -1
«split -n 0 README.md»; ls | wc -l
«date -d 'no such day'» | head -1
«m4 none.m4» 2>&1 | tail -1
«gdb --batch -ex run none_such» 2>&1 | tail -2
«valgrind ./none_such» 2>&1 | tail -1
«mkfs.ext4 -q none/disk.img 4M» 2>&1 | tail -1
«e2fsck -fn README.md» 2>&1 | tail -4
«vim -es -u NONE -c 'source none.vim' -c q README.md» ; echo edited
«tmux -L none attach» 2>&1 | tail -1
«pkg-config --libs orchard» 2>&1 | tail -2
«ssh-keygen -y -f README.md» 2>&1 | tail -2
«timeout 1 sh -c 'sleep 5; echo never'»; echo waited
"""


def held_out(command: str) -> bool:
    return int(hashlib.sha256(command.encode()).hexdigest(), 16) % PARTS == 0


def scenarios(worked: str, failed: str) -> list[tuple[str, bool]]:
    """Each with whether it worked. In braces a part runs as it would without them."""
    return [(line, kind) for table, kind in ((worked, True), (failed, False)) for line in table.strip().split("\n")]


def code_of_part(marked: str, codes: Path) -> str:
    """The command with its parts in groups that tell their codes in a file."""
    return marked.replace("«", "{ ").replace("»", f"; _c=$?; echo $_c >> {codes}; (exit $_c); }}")


def record(again: bool) -> None:
    from hard_set import FIXTURES, HardSet, make_project, run, server

    rows: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    with tempfile.TemporaryDirectory(prefix="hard-marked-") as scratch, server():
        template, project, codes = Path(scratch) / "template", Path(scratch) / "project", Path(scratch) / "codes"
        make_project(template, HardSet("hard_marked", None, FILES | hard_marked_again.FILES if again else FILES, SETUP))
        for marked, worked in scenarios(
            *((hard_marked_again.WORKED, hard_marked_again.FAILED) if again else (WORKED, FAILED))
        ):
            command = marked.replace("«", "").replace("»", "").strip()
            codes.unlink(missing_ok=True)
            try:
                run(code_of_part(marked, codes), template, project, together=True)
                apart, code, has_errors = run(command, template, project, together=False)
                merged = run(command, template, project, together=True)[0] if has_errors else apart
            except subprocess.TimeoutExpired:
                print(f"too long: {command}")
                continue
            told = [int(each) for each in codes.read_text().split()] if codes.exists() else []
            if "command not found" in merged and NO_PROGRAM not in command:
                print(f"no such program here: {command}")
                continue
            answers = worked and command.startswith(("diff ", "shellcheck ")) and told == [1]
            if not told or BROKEN_PIPE in told or (not answers and worked is any(told)) or (worked and code):
                print(f"not as it was meant, {told} and {code}: {command}\n    {merged[-200:]!r}")
                continue
            label = "ok" if worked else "fail" if code else "masked"
            row = {"name": f"{label}: {command.split()[0]}", "command": command, "exit": code, "part": told}
            row |= {"label": label, "output": merged}
            rows[not again and held_out(command)].append(row if apart == merged else row | {"apart": apart})
    for held, name in (
        ((False, "hard_marked_again"),) if again else ((False, "hard_marked"), (True, "hard_marked_held"))
    ):
        packed = lzma.compress(json.dumps(rows[held], indent=0).encode(), preset=9 | lzma.PRESET_EXTREME)
        (FIXTURES / f"{name}.json.xz").write_bytes(packed)
        labels = [row["label"] for row in rows[held]]
        print(
            name, len(labels), {label: labels.count(label) for label in sorted(set(labels))}, f"{len(packed):,} bytes"
        )


if __name__ == "__main__":
    record(sys.argv[1:] == ["again"])
