mkdir -p tide/src/tideline tide/tests tide/tools tide/sql tide/conf tide/var/log tide/docs tide/data tide/.github/workflows; cd tide; git init -q
cat > pyproject.toml <<'X'
[build-system]
requires = ["setuptools>=61"]
build-backend = "setuptools.build_meta"

[project]
name = "tideline"
version = "1.3.0"
requires-python = ">=3.10"
dependencies = []

[project.scripts]
tideline = "tideline.cli:main"

[tool.pytest.ini_options]
pythonpath = ["src"]
testpaths = ["tests"]
X
cat > src/tideline/__init__.py <<'X'
"""Tide tables from raw gauge readings."""

from .parse import BadReading, parse_line, parse_many

__all__ = ["BadReading", "parse_line", "parse_many"]
__version__ = "1.3.0"
X
cat > src/tideline/parse.py <<'X'
"""Reads gauge lines such as ``KBOS 2026-03-01T00:06 2.41m``."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime

log = logging.getLogger("tideline.parse")


class BadReading(ValueError):
    """The gauge sent something we cannot read."""


@dataclass(frozen=True)
class Reading:
    station: str
    when: datetime
    metres: float


def parse_line(line: str) -> Reading:
    parts = line.split()
    if len(parts) != 3:
        raise BadReading(f"error: expected 3 fields, got {len(parts)}: {line!r}")
    station, stamp, height = parts
    if not height.endswith("m"):
        raise BadReading(f"error: height without unit: {height!r}")
    return Reading(station, datetime.fromisoformat(stamp), float(height[:-1]))


def parse_many(lines: list[str]) -> list[Reading]:
    """Bad lines are logged and skipped."""
    out = []
    for number, line in enumerate(lines, 1):
        try:
            out.append(parse_line(line))
        except BadReading as error:
            log.error("line %d skipped: %s", number, error)
    return out
X
cat > src/tideline/store.py <<'X'
"""Keeps readings in sqlite."""

from __future__ import annotations

import sqlite3
import time

from .parse import Reading


class StoreError(RuntimeError):
    """The database refused."""


def connect(path: str, tries: int = 3) -> sqlite3.Connection:
    for attempt in range(1, tries + 1):
        try:
            return sqlite3.connect(path)
        except sqlite3.OperationalError as error:
            print(f"attempt {attempt} failed: {error}")
            time.sleep(0.01)
    raise StoreError(f"cannot open {path} after {tries} attempts")


def save(db: sqlite3.Connection, readings: list[Reading]) -> int:
    db.execute("create table if not exists reading(station text, at text, metres real)")
    db.executemany(
        "insert into reading values (?, ?, ?)",
        [(r.station, r.when.isoformat(), r.metres) for r in readings],
    )
    db.commit()
    return len(readings)
X
cat > src/tideline/cli.py <<'X'
"""tideline import FILE [--db PATH] [--strict]; tideline check FILE."""

from __future__ import annotations

import argparse
import logging
import sys

from . import parse, store


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tideline")
    sub = parser.add_subparsers(dest="what", required=True)
    imp = sub.add_parser("import")
    imp.add_argument("file")
    imp.add_argument("--db", default="tide.db")
    imp.add_argument("--strict", action="store_true")
    chk = sub.add_parser("check")
    chk.add_argument("file")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    lines = open(args.file).read().splitlines()
    if args.what == "check":
        good = parse.parse_many(lines)
        print(f"{len(good)} good, {len(lines) - len(good)} bad")
        return 0
    if args.strict:
        readings = [parse.parse_line(line) for line in lines]
    else:
        readings = parse.parse_many(lines)
    print(f"imported {store.save(store.connect(args.db), readings)} of {len(lines)} readings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
X
printf '"""python -m tideline"""\nimport sys\n\nfrom .cli import main\n\nsys.exit(main())\n' > src/tideline/__main__.py
cat > tests/test_parse.py <<'X'
import pytest

from tideline import BadReading, parse_line, parse_many


def test_good_line():
    assert parse_line("KBOS 2026-03-01T00:06 2.41m").metres == 2.41


def test_error_on_missing_unit():
    with pytest.raises(BadReading, match="without unit"):
        parse_line("KBOS 2026-03-01T00:06 2.41")


@pytest.mark.parametrize("line", ["", "x", "a b c d"])
def test_fails_on_wrong_field_count(line):
    with pytest.raises(BadReading):
        parse_line(line)


def test_bad_lines_are_skipped(caplog):
    assert len(parse_many(["KBOS 2026-03-01T00:06 2.41m", "garbage"])) == 1
    assert "line 2 skipped" in caplog.text
X
cat > tests/test_store.py <<'X'
import sqlite3

import pytest

from tideline import parse_many, store


def test_save(tmp_path):
    db = store.connect(str(tmp_path / "t.db"))
    assert store.save(db, parse_many(["KBOS 2026-03-01T00:06 2.41m"])) == 1


def test_connection_refused_is_reported(tmp_path, capsys):
    with pytest.raises(store.StoreError, match="after 3 attempts"):
        store.connect(str(tmp_path / "no" / "such" / "dir" / "t.db"))
    assert "attempt 3 failed" in capsys.readouterr().out


@pytest.mark.xfail(reason="negative heights are not rejected yet", strict=False)
def test_negative_height_is_an_error():
    with pytest.raises(sqlite3.IntegrityError):
        store.save(store.connect(":memory:"), parse_many(["KBOS 2026-03-01T00:06 -9.9m"]))


@pytest.mark.skip(reason="needs the live gauge")
def test_live():
    raise AssertionError("unreachable")
X
cat > tools/backfill.py <<'X'
"""Fetches a month of readings, one gauge after the other."""
import sys
import urllib.error
import urllib.request

base = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8947"
done = 0
for name in ("stations.csv", "gauges.csv"):
    try:
        with urllib.request.urlopen(f"{base}/files/{name}", timeout=3) as reply:
            rows = reply.read().decode().splitlines()
            done += len(rows) - 1
            print(f"{name}: {len(rows) - 1} rows")
    except urllib.error.HTTPError as error:
        print(f"warning: {name}: HTTP {error.code}, using the cached copy", file=sys.stderr)
print(f"backfill finished: {done} rows")
X
cat > tools/report.py <<'X'
import json
import sys

totals = json.load(open(sys.argv[1]))
for station, heights in totals.items():
    print(f"{station:6} max {max(heights):5.2f} mean {sum(heights) / len(heights):5.2f}")
X
printf '{"KBOS": [2.41, 2.38, 0.12], "KSFO": [1.2, 1.3]}\n' > data/totals.json
printf '{"KBOS": [2.41, 2.38], "KSFO": []}\n' > data/empty.json
printf '{"KBOS": [2.41, 2.38,}\n' > data/broken.json
printf 'KBOS 2026-03-01T00:06 2.41m\nKBOS 2026-03-01T00:12 2.38m\nKSFO 2026-03-01T00:06 1.20m\n' > data/march.txt
printf 'KBOS 2026-03-01T00:06 2.41m\ngarbage here\nKSFO 2026-03-01T00:06 1.20\n' > data/april.txt
cat > sql/001_reading.sql <<'X'
create table reading(station text not null, at text not null, metres real, primary key (station, at));
X
cat > sql/002_index.sql <<'X'
create index reading_at on reading(at);
create table failure(id integer primary key, message text);
insert into failure(message) values ('Error: gauge offline'), ('fatal: checksum mismatch');
X
cat > sql/003_broken.sql <<'X'
alter table readings add column quality text;
X
cat > conf/app.yaml <<'X'
station: KBOS
on_error: skip
retries: 3
alerts:
  - level: critical
    text: "Traceback in worker"
X
cat > conf/bad.yaml <<'X'
station: KBOS
  retries: 3
 alerts: [
X
cat > var/log/ingest.log <<'X'
2026-11-19 02:00:01 INFO  ingest: start, 12 gauges
2026-11-19 02:00:04 WARN  ingest: KSFO slow, 2.9 s
2026-11-19 02:00:09 ERROR ingest: KSEA: connection refused (attempt 1/3)
2026-11-19 02:00:19 ERROR ingest: KSEA: connection refused (attempt 2/3)
2026-11-19 02:00:29 ERROR ingest: KSEA: connection refused (attempt 3/3)
2026-11-19 02:00:29 FATAL ingest: giving up on KSEA
Traceback (most recent call last):
  File "/srv/tide/ingest.py", line 61, in run
    rows = fetch(gauge)
  File "/srv/tide/ingest.py", line 22, in fetch
    raise ConnectionError(f"{gauge}: refused")
ConnectionError: KSEA: refused
2026-11-19 02:00:30 INFO  ingest: done, 11 of 12 gauges
2026-11-20 02:00:01 INFO  ingest: start, 12 gauges
2026-11-20 02:00:07 INFO  ingest: done, 12 of 12 gauges
X
printf '# Tideline\n\nTurns raw gauge lines into tide tables.\n\n## Errors\n\n`error: expected 3 fields` - the gauge sent a torn line.\n`Traceback` in the log - see docs/failures.md.\n' > README.md
printf '# Failures\n\nIf you see `sqlite3.OperationalError: database is locked`, stop the importer.\nIf the build fails with `error: externally-managed-environment`, use a venv.\n\n    FAILED tests/test_store.py::test_save - sqlite3.OperationalError\n' > docs/failures.md
cat > Makefile <<'X'
.PHONY: test lint clean load types
test:
	python -m pytest -q
lint:
	ruff check src tests tools
types:
	mypy src
load:
	sqlite3 var/tide.db < sql/001_reading.sql
	sqlite3 var/tide.db < sql/002_index.sql
clean:
	-rm var/tide.db
	rm -rf build dist .pytest_cache .ruff_cache
X
printf 'name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: pytest -q\n        continue-on-error: true\n' > .github/workflows/ci.yml
printf '__pycache__/\n*.db\nbuild/\ndist/\n*.egg-info/\n.venv/\n' > .gitignore
git add -A && git commit -qm "Tide tables from raw gauge readings"
printf '\n## Retry\n\nAfter three errors the importer gives up.\n' >> docs/failures.md; git commit -qam "Say what happens after three errors"
git tag v1.3.0
git checkout -qb fix/failing-import; sed -i 's/%d skipped/%d ignored/' src/tideline/parse.py; git commit -qam "Fix failing import: say ignored"; git checkout -q main
git checkout -qb conflict; sed -i 's/%d skipped/%d dropped/' src/tideline/parse.py; git commit -qam "Say dropped"; git checkout -q main
git clone -q --bare . ../tide_remote.git; git remote add origin ../tide_remote.git; git fetch -q; git branch -q -u origin/main
cd ..
# a version with faults
cp -a tide tidex; cd tidex
sed -i 's/float(height\[:-1\])/float(height[:-1]) * 10/' src/tideline/parse.py
sed -i 's/return len(readings)/return str(len(readings))/; s/^import time/import time, os/' src/tideline/store.py
git commit -qam "Heights in decimetres"; cd ..
