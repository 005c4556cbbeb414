mkdir -p ops/{bin,sql,k8s,tf,ansible,data,logs,backup,certs,xml,docs}; cd ops; git init -q
printf '#!/usr/bin/env bash\nset -euo pipefail\nsrc=${1:?source wanted}\necho "backing up $src"\ntar czf backup/snap.tgz "$src"\necho "backup complete"\n' > bin/backup.sh
printf '#!/usr/bin/env bash\necho "== step 1: fetch"\ncurl -fsS http://127.0.0.1:8999/artifact.tgz -o /tmp/a.$$.tgz\necho "== step 2: unpack"\ntar xzf /tmp/a.$$.tgz -C /tmp\necho "== release finished"\n' > bin/release.sh
printf '#!/usr/bin/env bash\nfor n in 1 2 3 4; do\n  if curl -fsS http://127.0.0.1:8947/wobbly-$1; then echo "service is up after $n tries"; exit 0; fi\n  echo "try $n failed, waiting" >&2\ndone\necho "service never came up" >&2\nexit 1\n' > bin/wait.sh
printf '#!/bin/sh\nfor f in $(ls *.txt); do\n  cat $f | grep error\ndone\nif [ $1 = "x" ]; then echo hi; fi\n' > bin/sloppy.sh
printf '#!/bin/sh\nset -e\nif [ "$1" = x ]; then\n  echo hi\n' > bin/torn.sh
printf '#!/bin/sh\n# preflight: prints what is missing, never fails\nfor t in git curl nosuchtool-a nosuchtool-b; do command -v $t >/dev/null && echo "ok      $t" || echo "missing $t (optional)"; done\n' > bin/preflight.sh
chmod +x bin/*.sh; chmod -x bin/torn.sh
printf 'create table ship(id integer primary key, name text not null unique, tons integer check(tons > 0));\ninsert into ship(name,tons) values("Error",10),("Fatal Attraction",200),("Abort",3);\n' > sql/ship.sql
printf 'begin;\ninsert into station values('"'KSEA','Seattle',47.4"');\ninsert into station values('"'KBOS','Boston again',42.4"');\ncommit;\n' > sql/dup.sql
printf 'selec * from station;\n' > sql/typo.sql
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: tide\ndata:\n  on_error: retry\n' > k8s/cm.yaml
printf 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n name: tide\n   data: [\n' > k8s/bad.yaml
printf 'variable "name" {\n  type = string\n  default = "tide"\n}\noutput "greeting" {\n  value = "hello ${var.name}"\n}\n' > tf/main.tf
mkdir -p tfbad; printf 'output "greeting" {\n  value = "hello ${var.nmae}"\n}\n' > tfbad/main.tf
printf -- '- hosts: localhost\n  gather_facts: false\n  tasks:\n    - name: look for the old dir\n      command: ls /nope\n      register: r\n      ignore_errors: true\n    - name: say\n      debug:\n        msg: "rc was {{ r.rc }}"\n' > ansible/ok.yml
printf -- '- hosts: localhost\n  gather_facts: false\n  tasks:\n    - name: copy the config\n      copy:\n        src: nothere.conf\n        dest: /tmp/b2x.conf\n    - name: say\n      debug:\n        msg: done\n' > ansible/bad.yml
for i in 1 2 3 4 5 6 7 8 9; do printf '10.0.0.%d - - [20/Nov/2026:09:0%d:11] "GET /api/%d HTTP/1.1" %s 12\n' $i $i $i $([ $((i%3)) = 0 ] && echo 500 || echo 200); done > logs/access.log
printf 'Nov 20 09:00:01 box sshd[811]: error: kex_exchange_identification: Connection closed by remote host\nNov 20 09:00:04 box kernel: Out of memory: Killed process 4411 (node)\nNov 20 09:01:00 box cron[91]: (root) CMD (run-parts)\nNov 20 09:02:12 box systemd[1]: tide.service: Main process exited, code=exited, status=1/FAILURE\nNov 20 09:02:12 box systemd[1]: tide.service: Failed with result exit-code.\nNov 20 09:02:17 box systemd[1]: Started tide.service.\n' > logs/syslog
printf '{"time":"09:00","level":"error","msg":"upload failed"}\n{"time":"09:01","level":"info","msg":"retry ok"}\n{"time":"09:02","level":"fatal","msg":"panic: nil map"}\n' > logs/app.jsonl
printf 'id,tons,state\n1,10,ok\n2,,error\n3,77,failed\n' > data/ships.csv
printf '{"ships":[{"id":1,"tons":10},{"id":2,"error":"no tonnage"}]}\n' > data/ships.json
printf '{"ships":[{"id":1,"tons":10},\n' > data/torn.json
printf '<?xml version="1.0"?>\n<fleet><ship id="1"><state>failed</state></ship><ship id="2"><state>ok</state></ship></fleet>\n' > xml/fleet.xml
printf '<?xml version="1.0"?>\n<fleet><ship id="1"></fleet>\n' > xml/torn.xml
printf '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="text"/><xsl:template match="/"><xsl:for-each select="//ship"><xsl:value-of select="@id"/>:<xsl:value-of select="state"/>\n</xsl:for-each></xsl:template></xsl:stylesheet>\n' > xml/fleet.xsl
head -c 3000 /dev/urandom > backup/blob.bin; tar czf backup/good.tgz logs; head -c 200 backup/good.tgz > backup/torn.tgz; zip -qr backup/good.zip logs; head -c 300 backup/good.zip > backup/torn.zip; sha256sum backup/good.tgz backup/blob.bin > backup/SUMS; sha256sum backup/good.zip | sed 's/^..../0000/' > backup/BADSUMS; gzip -c logs/syslog > backup/syslog.gz; head -c 100 backup/syslog.gz > backup/torn.gz
openssl req -x509 -newkey rsa:2048 -nodes -keyout certs/a.key -out certs/a.crt -days 3 -subj /CN=tide.example 2>/dev/null; openssl req -x509 -newkey rsa:2048 -nodes -keyout certs/b.key -out certs/b.crt -days 3 -subj /CN=other.example 2>/dev/null; printf 'not a certificate\n' > certs/junk.crt
printf -- '--- a/logs/nope.txt\n+++ b/logs/nope.txt\n@@ -1,2 +1,2 @@\n-alpha\n+beta\n gamma\n' > data/bad.patch
printf -- '--- a/data/ships.csv\n+++ b/data/ships.csv\n@@ -1,4 +1,4 @@\n id,tons,state\n 1,10,ok\n-2,,error\n+2,5,ok\n 3,77,failed\n' > data/good.patch
printf -- '--- a/data/ships.csv\n+++ b/data/ships.csv\n@@ -1,4 +1,4 @@\n id,tons,state\n 1,99,ok\n-2,9,error\n+2,5,ok\n 4,77,failed\n' > data/reject.patch
printf '* * * * * /srv/tide/bin/wait.sh\n' > data/crontab.ok; printf 'every minute do it\n' > data/crontab.bad
printf '# Runbook\n\nIf `FATAL: password authentication failed` shows, rotate the secret.\n' > docs/runbook.md
git add -A; git commit -qm "Operations"; git remote add origin ../ops_remote.git; cd ..
