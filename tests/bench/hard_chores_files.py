"""The project in which the calls of `hard_chores.py` run."""

from __future__ import annotations

from hard_chores_texts import PYTHON, SCRIPTS, TEXTS, WEB

LANGUAGES = {
    "mac/bad.mac": "f(x) := x^2 + 1;\nintegrate(f(x), x, 0, 1;\n",
    "sml/bad.sml": 'fun total xs = foldl (op +) 0 xs;\nval n : string = total [1, 2];\n',
    "sml/handled.sml": 'exception Failed of string;\nval n = (raise Failed "no plan") handle Failed m => (print ("caught: " ^ m ^ "\\n"); 1);\n',
    "sc/boom.scm": '(define (price item) (cdr (assq item (quote ((tea . 3))))))\n(display "pricing\\n")\n(display (price (quote milk)))\n',
    "sc/handled.scm": '(with-exception-catcher (lambda (e) (display "caught an error\\n")) (lambda () (error "no plan")))\n(display "went on\\n")\n',
    "sc/boom.ss": '(display "loading\\n")\n(vector-ref (vector 1 2) 5)\n',
    "sc/handled.ss": '(guard (e (#t (display "error: caught\\n"))) (vector-ref (vector 1 2) 5))\n(display "went on\\n")\n',
    "fnl/boom.fnl": '(local cart nil)\n(print "checking out")\n(print (. cart :total))\n',
    "fnl/handled.fnl": '(print (pcall error "no plan"))\n(print "went on")\n',
    "st/boom.st": "| cart |\ncart := OrderedCollection new.\ncart removeFirst.\nTranscript showCr: 'end'.\n",
    "st/handled.st": "[nil foo] on: MessageNotUnderstood do: [:e | Transcript showCr: 'caught: ', e messageText].\nTranscript showCr: 'went on'.\n",
    "plg/bad.pl": "price(tea, 3).\nprice(milk, 2.\ntotal(X) :- price(tea, X).\n",
    "a68/bad.a68": 'BEGIN INT n := "three"; print((n, new line)) END\n',
    "a68/fine.a68": 'BEGIN print(("errors: ", whole(0, 0), new line)) END\n',
    "pk/boom.pike": 'int main() { mapping m = ([]); write("starting\\n"); error("No stock for order %d\\n", 7); return 0; }\n',
    "pk/handled.pike": 'int main() { mixed e = catch { error("no plan\\n"); }; write("caught: " + describe_error(e)); write("went on\\n"); return 0; }\n',
    "rk/boom.raku": 'sub ship($n) { die "cannot ship order $n: no address" unless $n > 10; }\nsay "shipping";\nship(7);\n',
    "rk/syntax.raku": "sub total(@xs { [+] @xs }\n",
    "rk/handled.raku": 'try { die "no plan" }; say "caught: $!"; say "went on";\n',
    "rk/errors.rakutest": 'use Test;\nplan 2;\ndies-ok { die "failed" }, "error: dies as told";\nok True, "not ok is only a name";\n',
    "bas/bad.bas": 'print "sum"\nfor i = 1 to 3\nprint i\n',
    "bas/fine.bas": 'print "errors: 0"\n',
    "bas/divide.bas": "10 LET A = 0\n20 PRINT 5 / A\n30 GOTO 900\n40 END\nRUN\nSYSTEM\n",
    "bas/onerror.bas": '10 PRINT "ERROR TABLE"\n20 PRINT "0 FAILED"\n30 SYSTEM\n',
    "ico/bad.icn": "procedure main()\n  write(1 +\nend\n",
    "ico/fine.icn": 'procedure main()\n  write("failed: ", 0)\nend\n',
    "pml/bad.pml": "active proctype P() { byte n = 0; do :: n < 3 -> n++ od; assrt(n == 3 }\n",
    "pml/fine.pml": "byte errors = 0;\nactive proctype P() { errors = 0; assert(errors == 0) }\n",
    "mau/bad.maude": "fmod CART is\n  sort Cart .\n  op empty : -> Crat .\nendfm\nreduce in CART : empty .\nquit\n",
    "mau/fine.maude": "fmod ERR is\n  sort Err .\n  ops error failed : -> Err .\n  eq failed = error .\nendfm\nreduce in ERR : failed .\nquit\n",
    "sca/Bad.scala": 'object Bad { def total(xs: List[Int]): String = xs.sum; def main(a: Array[String]): Unit = println(totl(Nil)) }\n',
    "sca/Handled.scala": 'object Handled { def main(a: Array[String]): Unit = { println(scala.util.Try("x".toInt)); println("went on") } }\n',
    "clj/boom.clj": '(println "loading orders")\n(throw (ex-info "no orders for 2031" {:year 2031}))\n',
    "clj/handled.clj": '(try (/ 1 0) (catch ArithmeticException e (println "caught:" (.getMessage e))))\n(println "went on")\n',
    "nimx/bad.nim": 'proc total(xs: seq[int]): int = xs.len\necho total("abc")\n',
    "nimx/handled.nim": 'import std/strutils\nlet unusedError = 1\ntry: discard parseInt("x")\nexcept ValueError as e: echo "caught: ", e.msg\n',
    "ada/bad.adb": 'with Ada.Text_IO;\nprocedure Bad is\n   N : Integer := "three";\nbegin\n   Ada.Text_IO.Put_Lin (N);\nend Bad;\n',
    "ada/fine.adb": 'with Ada.Text_IO;\nprocedure Fine is\n   Unused : Integer;\nbegin\n   raise Constraint_Error;\nexception\n   when Constraint_Error => Ada.Text_IO.Put_Line ("caught an error");\nend Fine;\n',
    "dee/bad.d": 'import std.stdio;\nvoid main() { int n = "three"; writeln(nothing); }\n',
    "dee/fine.d": 'import std.stdio;\nvoid main() { try { throw new Exception("no plan"); } catch (Exception e) { writeln("caught: ", e.msg); } }\n',
    "tsx/boom.ts": 'type Cart = { items: string[] };\nconst cart = JSON.parse("{}") as Cart;\nconsole.log("checking", cart.items.length);\n',
    "tsx/syntax.ts": "export const total = (xs: number[] => xs.length;\n",
    "tsx/handled.ts": 'try {\n  throw new TypeError("no plan");\n} catch (e) {\n  console.log(`caught: ${e}`);\n}\nconsole.log("went on");\n',
    "elmx/elm.json": '{"type": "application", "source-directories": ["src"], "elm-version": "0.19.1", "dependencies": {"direct": {"elm/core": "1.0.5"}, "indirect": {}}, "test-dependencies": {"direct": {}, "indirect": {}}}\n',
    "elmx/src/Main.elm": 'module Main exposing (main)\n\ntype Problem = Failed String | Fatal\n\nmain = total "error"\n',
    "pur/Bad.purs": 'module Bad where\n\ntotal :: Int\ntotal = "three"\n',
    "mips/bad.s": ".text\nmain:\n  li $v0, 1\n  lw $a0, nowhere_label\n  addx $t0, $t1\n  syscall\n",
    "mips/fine.s": '.data\nm: .asciiz "errors: 0\\n"\n.text\nmain:\n  li $v0, 4\n  la $a0, m\n  syscall\n  li $v0, 10\n  syscall\n',
    "lg/bad.lg": "to greet :name\nprint (word [hello ] :nam)\nend\ngreet [x]\nfrobn 10\n",
    "lg/fine.lg": "catch [ERROR] [frobn 10]\nprint [went on after an error]\n",
}  # fmt: skip

SCIENCE = {
    "bio/bad.vcf": "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\nchr1\tx\n",
    "bio/fine.vcf": "##fileformat=VCFv4.2\n##contig=<ID=chr1>\n##FILTER=<ID=FAILED,Description=\"error\">\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\nchr1\t7\terror1\tA\tC\t9\tFAILED\t.\n",
    "bio/a.bed": "chr1\t1\t9\terror\n", "bio/b.bed": "chr2\t1\t9\tfailed\n", "bio/bad.sto": "no stockholm\nseq1 ACGT\n",
    "bio/reads.fastq": "@error_read\nACGTN\n+\nIIIII\n",
    "bio/reads.sam": "@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:99\nfailed_read\t516\tchr1\t3\t30\t5M\t*\t0\t0\tACGTA\tIIIII\n",
    "geo/points.geojson": '{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"error": "none", "failed": 0}, "geometry": {"type": "Point", "coordinates": [1, 2]}}]}\n',
    "cir/bad.cir": "bad divider\nV1 in 0 5\nR1 in out 1k\nR2 out 0\n.opp\n.end\n",
    "cir/fine.cir": "divider of errors\nV1 in 0 5\nR1 in out 1k\nR2 out 0 1k\n.op\n.print op v(out)\n.end\n",
    "scad/bad.scad": "cube([1,2,3);\nsphere(r=nothing);\n", "scad/fine.scad": 'echo("WARNING: no error", failed=0);\ncube(1);\n',
    "scad/bad.pov": 'camera { location <0,0,-3> look_at 0 }\nsphere { <0,0,0>, 1 texture { pigmnt { Red } } }\n',
    "scad/fine.pov": '#version 3.7;\nglobal_settings { assumed_gamma 1 }\ncamera { location <0,0,-3> look_at 0 }\nlight_source { <2,2,-2> 1 }\n#warning "failed = 0\\n"\nsphere { 0, 1 pigment { rgb 1 } }\n',
    "ly/bad.csd": "<CsoundSynthesizer>\n<CsInstruments>\ninstr 1\na1 oscilx 1, 440\nendin\n</CsInstruments>\n<CsScore>\ni1 0 1\n</CsScore>\n</CsoundSynthesizer>\n",
    "ly/errors.abc": "X:1\nT:Errors\nM:4/4\nK:C\nCDEF|\n",
    "docs/paper.tex": "\\section{Errors}\nIt failed... `error' , see Fig.\\ref{x} .\n",
    "docs/runbook.md": "# Runbook\n\n## Troubleshooting\n\n- `Error: ECONNREFUSED 127.0.0.1:6379` means that the cache is down.\n- `fatal: not a git repository`: you are in the wrong folder.\n- Traceback (most recent call last) in the worker's log: restart it.\n\n## Contacts\n\nNobody.\n",
}  # fmt: skip

SERVICES = {
    "conf/nsd.conf": "server:\n  ip-adress: 127.0.0.1\nzone:\n  name: example.org\n  zonefile: nothing.zone\n",
    "conf/nsd-fine.conf": "server:\n  ip-address: 127.0.0.1\n  username: \"\"\n",
    "conf/bad.zone": "$ORIGIN example.org.\n$TTL 60\n@ IN SOA ns root 1 2 3 4 5\n@ IN NS ns\nshop IN A 127.0.0.300\n",
    "conf/fine.zone": "$ORIGIN example.org.\n$TTL 60\n@ IN SOA ns root 1 2 3 4 5\n@ IN NS ns\nns IN A 127.0.0.1\nerror IN TXT \"failed: 0\"\n",
    "conf/vpn.conf": "client\ndev tun\nremote 127.0.0.1 9 tcp\nca /etc/nothing/ca.crt\ncert none.crt\nkey none.key\n",
    "conf/stunnel.conf": "foreground = yes\n[web]\nacept = 127.0.0.1:18443\nconnect = 127.0.0.1:9\n",
    "conf/user.ldif": "dn: uid=ann,dc=example,dc=org\nobjectClass: account\nuid: ann\ndescription: error: locked\n",
    "conf/krb5.conf": "[libdefaults]\n default_realm = EXAMPLE.ORG\n default_keytab_name = FILE:/etc/none.keytab\n[realms]\n EXAMPLE.ORG = { kdc = 127.0.0.1:9 }\n",
    "conf/app.j2": "name: {{ name }}\non_error: {{ on_error | default('retry') }}\n", "data/app.json": '{"name": "shop", "on_error": "failed"}\n',
    "conf/openapi.yaml": "openapi: 3.0.0\ninfo: {title: Shop}\npaths:\n  /cart:\n    get: {responses: {'500': {}}}\n",
    "conf/stylelint.json": '{"rules": {"block-no-empty": true, "color-no-invalid-hex": true}}\n',
    "conf/alerts.yaml": "groups:\n  - name: errors\n    rules:\n      - alert: HighErrorRate\n        expr: rate(http_errors_total[5m]) > 0.05\n        annotations: {summary: 'Failed requests: too many'}\n",
    "conf/errors.ini": "[errors]\nE100 = cannot open file\nE200 = fatal: out of memory\nE300 = permission denied\n",
    "conf/crontab.txt": "MAILTO=errors@example.org\n*/5 * * * * /usr/bin/check-failed-jobs || echo failed\n",
    "conf/default.env": "ON_ERROR=retry\nFAILED_QUEUE=dead-letters\n",
}  # fmt: skip

BUILDS = {
    "idl/bad.thrift": "struct Order {\n  1: i32 id\n  2: strin name\n  3 price\n}\n",
    "idl/fine.thrift": "struct Failure {\n  -1: string error\n  2: i32 code\n}\n",
    "idl/bad.capnp": "@0xbf5147cbbecf40c1;\nstruct Order { id @0 :Int32; name @0 :Textt; }\n",
    "idl/errors.capnp": "@0xbf5147cbbecf40c1;\nstruct Error { failed @0 :Bool; message @1 :Text; }\n",
    "idl/bad.fbs": "table Order { id:int; name:strng; }\nroot_type Ordr;\n",
    "idl/errors.fbs": "namespace Errors;\ntable Error { failed:bool; message:string; }\nroot_type Error;\n",
    "ant/build.xml": '<project name="shop" default="dist">\n<target name="hello"><echo>errors: 0, failed: 0</echo></target>\n<target name="dist"><copy file="dist/none.jar" todir="out"/></target>\n<target name="on-error" description="tells of errors"/>\n</project>\n',
    "prem/premake4.lua": 'solution "Shop"\n  configurations { "Debug" }\n  project "App"\n    kind "ConsoleAp"\n    language "C"\n',
    "mk/broken.mk": "all: compile link\ncompile:\n\tcc -c cx/broken.c -o /tmp/broken.o\nlink:\n\tcc /tmp/none-1.o -o /tmp/shop\n",
    "mk/fine.mk": "errors: errors.txt\n\t@echo errors.txt: 0 errors\nerrors.txt:\n\t@echo failed: 0 > $@\n",
    "mk/forgiving.mk": "publish: notes upload\n\t@echo published\nnotes:\n\t@echo 'if the upload failed, try again'\nupload:\n\t-scp -P 9 -o BatchMode=yes notes.md deploy@127.0.0.1:/srv/\n",
    "cx/broken.c": "int main(void) { return undefined_count; }\n",
    "cx/tool.c": '#include <stdio.h>\n#include <stdlib.h>\nstatic void fail(const char *why, int unused) { perror(why); exit(1); }\nint main(int argc, char **argv) {\n  FILE *f = fopen(argv[1], "r");\n  if (!f) fail("cannot open", 1);\n  puts("error: none");\n  return 0;\n}\n',
    "deb/bad.ctl": "Section: misc\nPackage: Shop_Errors!\nReadme: nothing.txt\n",
    "deb/debian/changelog": "shop (1.0) unstable; urgency=low\n\n  * Fix error: failed to open (crash)\n\n -- Dev <dev@example.org>  Thu, 01 Jan 2026 00:00:00 +0000\n",
    "deb/debian/control": "Source: shop\nMaintainer: Dev <dev@example.org>\nBuild-Depends: libnothing-such-dev\n\nPackage: shop\nArchitecture: all\nDescription: shop\n errors\n",
    "deb/debian/rules": "#!/usr/bin/make -f\n%:\n\tfalse\n",
    "wf/Snakefile": 'rule report:\n    input: "data/none-2031.csv"\n    output: "report.txt"\n    shell: "wc -l {input} > {output}"\n',
    "wf/Fine": 'rule errors:\n    output: "errors-report.txt"\n    shell: "grep -c ERROR logs/service.log > {output}"\n',
    "gox/go.mod": "module example.org/errs\n\ngo 1.19\n",
    "gox/errs.go": 'package errs\n\nimport "errors"\n\nvar ErrTimeout = errors.New("error: timed out")\n\nfunc Check(n int) error {\n\tif n < 0 {\n\t\treturn ErrTimeout\n\t}\n\treturn nil\n}\n',
    "gox/errs_test.go": 'package errs\n\nimport "testing"\n\nfunc TestFailedCheckGivesError(t *testing.T) {\n\tt.Log("panic: none; FAIL: none", Check(-1))\n}\n',
    "rsx/Cargo.toml": '[package]\nname = "errs"\nversion = "0.1.0"\nedition = "2021"\n',
    "rsx/src/lib.rs": 'pub fn parse(s: &str) -> Result<u8, String> { s.parse().map_err(|e| format!("error: {e}")) }\nfn unused_error() {}\n#[test]\nfn fails_on_words() { assert!(parse("x").is_err()); }\n#[test]\n#[should_panic(expected = "error")]\nfn panics_when_failed() { parse("y").unwrap(); }\n',
}  # fmt: skip

SETUP = """
mkdir -p img repos/conf old web/migrations repo && printf 'Codename: stable\\nComponents: main\\nArchitectures: amd64\\n' > repos/conf/distributions
cp logs/service.log old.log && gzip -c old.log > logs/old.log.gz && rm old.log
printf 'a\\0b' > data/a.bin; printf 'a\\0c' > data/b.bin; head -c 300 /dev/zero > data/core.bin; echo 'fatal error in module shop' >> data/core.bin
sqlite3 jobs.db "create table job (id, status, error); insert into job values (1, 'done', null), (2, 'failed', 'Timeout: no answer'), (3, 'error', 'KeyError: id')"
chmod +x deb/debian/rules; echo 'rendered' | groff -Tpdf > doc.pdf 2>/dev/null || true
cd repo && git init -q . && git config user.email d@example.org && git config user.name d
printf 'def call(n):\\n    if n < 0:\\n        raise ValueError("error: negative")\\n    return n\\n' > service.py
git add . && git commit -qm 'Service' && sed -i 's/error: negative/fatal: failed, negative amount/' service.py && git commit -qam 'Fix crash: error when an amount failed'
"""

FILES = {**LANGUAGES, **SCIENCE, **SERVICES, **BUILDS, **PYTHON, **WEB, **SCRIPTS, **TEXTS}
