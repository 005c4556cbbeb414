mkdir -p forge/{c,go,rs/src,java,rb,pl,php,lua,scm,lisp,f90,asm,tcl,ex,proto,dot,ml,m4,r,bats}; cd forge; git init -q
cat > c/wave.c <<'X'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc < 2) { fprintf(stderr, "usage: wave N\n"); return 2; }
  int n = atoi(argv[1]);
  if (n < 1) { fprintf(stderr, "wave: error: N must be positive\n"); return 1; }
  double s = 0;
  for (int i = 0; i < n; i++) s += sin(i);
  printf("sum %.4f\n", s);
  return 0;
}
X
printf '#include <stdio.h>\nint main(void) {\n  int unused;\n  int x;\n  printf("%%d\\n", "text");\n  return 0;\n}\n' > c/warn.c
printf '#include <stdio.h>\nint main(void) {\n  int total = 0\n  printf("%%d\\n", totl);\n  return 0;\n}\n' > c/bad.c
printf '#include <assert.h>\n#include <stdio.h>\nint main(void) {\n  puts("checking buffer");\n  fflush(stdout);\n  assert(2 + 2 == 5);\n  return 0;\n}\n' > c/assert.c
printf '#include <stdlib.h>\n#include <stdio.h>\nint main(void) { int *p = malloc(40); p[10] = 3; printf("%%d\\n", p[10]); free(p); return 0; }\n' > c/over.c
printf '#include <stdio.h>\nvoid gale(void);\nint main(void) { gale(); return 0; }\n' > c/link.c
printf 'CFLAGS = -Wall -O1\nall: wave\nwave: wave.c\n\t$(CC) $(CFLAGS) -o $@ $< -lm\nbad: bad.c\n\t$(CC) $(CFLAGS) -o $@ $<\nlink: link.c\n\t$(CC) -o $@ $<\ncheck: wave\n\t./wave 3\n\t-./wave 0\n\t@echo "negative case failed as it should"\nstrict: wave\n\t./wave 0\nclean:\n\trm -f wave bad link *.o\n.PHONY: all check clean strict\n' > c/Makefile
printf 'cmake_minimum_required(VERSION 3.10)\nproject(wave C)\nadd_executable(wave wave.c)\ntarget_link_libraries(wave m)\nenable_testing()\nadd_test(NAME wave_ok COMMAND wave 3)\nadd_test(NAME wave_error COMMAND wave 0)\nset_tests_properties(wave_error PROPERTIES WILL_FAIL TRUE)\nadd_test(NAME wave_big COMMAND wave 0)\nset_tests_properties(wave_big PROPERTIES DISABLED ${SKIP_BIG})\n' > c/CMakeLists.txt
sed -i 's/DISABLED ${SKIP_BIG}/DISABLED "${SKIP_BIG}"/' c/CMakeLists.txt
printf 'module example.net/buoy\n\ngo 1.19\n' > go/go.mod
cat > go/buoy.go <<'X'
package buoy

import (
	"errors"
	"fmt"
)

// ErrDrift says the buoy left its place.
var ErrDrift = errors.New("error: buoy adrift")

// Check fails when the drift is too great.
func Check(metres float64) error {
	if metres > 50 {
		return fmt.Errorf("check failed: %w", ErrDrift)
	}
	return nil
}
X
cat > go/buoy_test.go <<'X'
package buoy

import (
	"errors"
	"testing"
)

func TestCheckError(t *testing.T) {
	if err := Check(60); !errors.Is(err, ErrDrift) {
		t.Fatalf("want ErrDrift, got %v", err)
	}
	t.Log("got the error as expected: ", Check(60))
}

func TestCheckOK(t *testing.T) {
	if Check(3) != nil {
		t.Fatal("unexpected failure")
	}
}
X
mkdir -p go/cmd/drift go/broken; printf 'package main\n\nimport (\n\t"fmt"\n\t"os"\n\n\t"example.net/buoy"\n)\n\nfunc main() {\n\tif err := buoy.Check(99); err != nil {\n\t\tfmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(3)\n\t}\n}\n' > go/cmd/drift/main.go
printf 'package broken\n\nimport "testing"\n\nfunc TestDepth(t *testing.T) {\n\tif got := 41; got != 42 {\n\t\tt.Errorf("depth = %%d, want 42", got)\n\t}\n}\n' > go/broken/broken_test.go
mkdir -p go/nobuild; printf 'package nobuild\n\nfunc Depth() int {\n\tvar s string = 4\n\treturn missing(s)\n}\n' > go/nobuild/x.go
printf '[package]\nname = "swell"\nversion = "0.2.0"\nedition = "2021"\n' > rs/Cargo.toml
cat > rs/src/lib.rs <<'X'
//! Swell heights.
#[derive(Debug, PartialEq)]
pub enum SwellError { Negative, NotANumber(String) }

pub fn parse(s: &str) -> Result<f64, SwellError> {
    let v: f64 = s.parse().map_err(|_| SwellError::NotANumber(s.into()))?;
    if v < 0.0 { Err(SwellError::Negative) } else { Ok(v) }
}

fn leftover() {}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn error_on_negative() { assert_eq!(parse("-1"), Err(SwellError::Negative)); }
    #[test]
    fn fails_on_text() { assert!(parse("panic").is_err()); }
    #[test]
    #[should_panic(expected = "Negative")]
    fn panics() { parse("-3").unwrap(); }
    #[test]
    #[ignore]
    fn slow_and_broken() { assert_eq!(parse("2"), Ok(3.0)); }
}
X
printf 'fn main() {\n    let a = std::env::args().nth(1).unwrap_or("2".into());\n    println!("{:?}", swell::parse(&a).unwrap());\n}\n' > rs/src/main.rs
mkdir -p rs/extra; printf 'fn main() {\n    let v: u32 = "deep";\n    println!("{}", depht);\n}\n' > rs/extra/bad.rs
printf 'public class Anchor {\n  static int hold(int depth) {\n    if (depth < 0) throw new IllegalArgumentException("error: negative depth " + depth);\n    return depth * 5;\n  }\n  public static void main(String[] a) {\n    System.out.println("chain " + hold(Integer.parseInt(a.length > 0 ? a[0] : "4")));\n  }\n}\n' > java/Anchor.java
printf 'public class Snag {\n  public static void main(String[] a) {\n    String s = 4;\n    System.out.println(depth);\n  }\n}\n' > java/Snag.java
printf 'import java.util.*;\npublic class Old {\n  public static void main(String[] a) {\n    List l = new ArrayList();\n    l.add("x");\n    System.out.println(l + " " + new Integer(3));\n  }\n}\n' > java/Old.java
printf 'class GaugeError < StandardError; end\n\ndef level(v)\n  raise GaugeError, "error: level #{v} out of range" unless (0..20).cover?(v)\n\n  v * 1.5\nend\n\nputs level(Float(ARGV[0] || 3)) if $PROGRAM_NAME == __FILE__\n' > rb/gauge.rb
printf 'require "minitest/autorun"\nrequire_relative "gauge"\n\nclass TestGauge < Minitest::Test\n  def test_error_out_of_range\n    assert_raises(GaugeError) { level(99) }\n  end\n\n  def test_level\n    assert_equal 4.5, level(3)\n  end\n\n  def test_later\n    skip "fails on the old gauge"\n  end\nend\n' > rb/test_gauge.rb
printf 'require "minitest/autorun"\nrequire_relative "gauge"\nclass TestDeep < Minitest::Test\n  def test_deep\n    assert_equal 30, level(19)\n  end\n\n  def test_low\n    level(-1)\n  end\nend\n' > rb/test_deep.rb
printf 'use strict;\nuse warnings;\nmy %%seen;\nwhile (my $l = <STDIN>) {\n  chomp $l;\n  my ($s, undef, $h) = split / /, $l;\n  unless (defined $h && $h =~ /m$/) { warn "skipping bad line $.: $l\\n"; next }\n  $seen{$s}++;\n}\nprint "$_ $seen{$_}\\n" for sort keys %%seen;\n' > pl/tally.pl
mkdir -p pl/t; printf 'use strict; use warnings;\nuse Test::More tests => 3;\nok(1, "no error when empty");\nlike("fatal: x", qr/fatal/, "dies with fatal");\neval { die "failed to open\\n" };\nis($@, "failed to open\\n", "error is passed on");\n' > pl/t/ok.t
printf 'use strict; use warnings;\nuse Test::More tests => 2;\nok(1, "reads");\nis(3 * 3, 10, "squares");\n' > pl/t/sq.t
printf 'use strict;\nuse Missing::Module::Tide;\nprint "ok\\n";\n' > pl/dep.pl
printf '<?php\nfunction depth(array $r): float {\n    if (!isset($r["m"])) { throw new RuntimeException("error: reading without metres"); }\n    return $r["m"] * 3.28;\n}\ntry { echo depth([]); } catch (RuntimeException $e) { echo "caught: ", $e->getMessage(), "\\n"; }\necho depth(["m" => 2]), "\\n";\n' > php/depth.php
printf '<?php\necho "start\\n";\n$r = ["m" => 2];\necho $r["feet"], "\\n";\necho intdiv(1, 0);\necho "end\\n";\n' > php/crash.php
printf '<?php\nfunction x( {\n  echo 1;\n}\n' > php/syntax.php
printf 'local M = {}\nfunction M.knots(ms) if type(ms) ~= "number" then error("knots: number expected, got " .. type(ms)) end return ms * 1.94 end\nlocal ok, err = pcall(M.knots, "fast")\nprint(ok, err)\nprint(M.knots(10))\nreturn M\n' > lua/knots.lua
printf 'local t = nil\nprint("reading buoy")\nprint(t.speed)\n' > lua/nil.lua
printf "(define (mean xs) (/ (apply + xs) (length xs)))\n(display (mean '(1 2 3)))\n(newline)\n(catch #t (lambda () (mean '())) (lambda (key . args) (display \"caught error: \") (display key) (newline)))\n" > scm/mean.scm
printf "(define (mean xs) (/ (apply + xs) (length xs)))\n(display \"start\\\\n\")\n(display (mean '()))\n" > scm/zero.scm
printf '(defun tide (x) (if (minusp x) (error "negative tide ~a" x) (* 2 x)))\n(format t "~a~%%" (tide 3))\n(handler-case (tide -1) (error (e) (format t "caught: ~a~%%" e)))\n' > lisp/tide.lisp
printf '(defun tide (x) (if (minusp x) (error "negative tide ~a" x) (* 2 x)))\n(format t "~a~%%" (tide -3))\n' > lisp/neg.lisp
printf 'program surge\n  implicit none\n  real :: a(3) = [1.0, 2.5, 4.0]\n  print *, "max surge", maxval(a)\nend program\n' > f90/surge.f90
printf 'program surge\n  implicit none\n  real :: a(3) = [1.0, 2.5, 4.0]\n  b = maxval(a)\n  print *, b\nend program\n' > f90/bad.f90
printf 'section .text\nglobal _start\n_start:\n  mov rax, 60\n  xor rdi, rdi\n  syscall\n' > asm/exit.asm
printf 'section .text\nglobal _start\n_start:\n  movv rax, 60\n  mov eax, [rbx+rcx*3]\n' > asm/bad.asm
printf 'proc fathoms m { if {![string is double $m]} { error "not a number: $m" }; expr {$m / 1.8288} }\nputs [format %%.2f [fathoms 10]]\nif {[catch {fathoms deep} msg]} { puts "caught error: $msg" }\n' > tcl/fathoms.tcl
printf 'puts "opening gauge"\nset f [open /no/such/gauge r]\nputs [gets $f]\n' > tcl/open.tcl
printf 'syntax = "proto3";\npackage tide;\nmessage Reading { string station = 1; double metres = 2; }\n' > proto/reading.proto
printf 'syntax = "proto3";\npackage tide;\nmessage Reading { string station = 1; Quality quality = 1; }\n' > proto/bad.proto
printf 'digraph g { ingest -> store; store -> error; error -> retry; }\n' > dot/flow.dot
printf 'digraph g { ingest -> ; store -> [ }\n' > dot/bad.dot
printf 'x <- c(2.4, 2.3, NA)\nprint(mean(x, na.rm = TRUE))\nwarning("1 missing reading")\ntryCatch(stop("gauge failed"), error = function(e) cat("caught:", conditionMessage(e), "\\n"))\n' > r/mean.R
printf 'x <- read.csv("nothere.csv")\nprint(summary(x))\n' > r/miss.R
printf '@test "error message is printed" {\n  run ls /nope\n  [ "$status" -ne 0 ]\n  [[ "$output" == *"No such file"* ]]\n}\n@test "adds" {\n  [ $((1+1)) -eq 2 ]\n}\n' > bats/ok.bats
printf '@test "subtracts" {\n  [ $((3-1)) -eq 1 ]\n}\n@test "adds" {\n  [ $((1+1)) -eq 2 ]\n}\n' > bats/bad.bats
printf 'let () = print_endline "tide"\nlet () = try failwith "gauge failed" with Failure m -> print_endline ("caught " ^ m)\n' > ml/ok.ml
printf 'let x : int = "deep"\nlet () = print_int x\n' > ml/bad.ml
printf 'defmodule T do\n  def f(x) when x > 0, do: x * 2\nend\nIO.puts T.f(2)\ntry do\n  T.f(-1)\nrescue e in FunctionClauseError -> IO.puts "rescued error: #{e.function}"\nend\n' > ex/ok.exs
printf 'defmodule T do\n  def f(x) when x > 0, do: x * 2\nend\nIO.puts "begin"\nIO.puts T.f(-2)\n' > ex/bad.exs
printf 'rs/target/\n*.o\n*.class\n' > .gitignore
git add -A; git commit -qm "One of each language"; cd ..
