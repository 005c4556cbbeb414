"""Nothing recorded may act: tries each kind of hostile text, file and moment, and prints what came of it.

    python tests/bench/attack.py [PART ...]

A part is a module of `attacks` with `def run() -> Iterable[Figure]`; without a name, all of them run. One that begins with `_` is a piece of
another.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pkgutil import iter_modules

import attacks


def main(chosen: list[str]) -> int:
    parts = sorted(module.name for module in iter_modules(attacks.__path__) if module.name[0] != "_")
    if unknown := set(chosen) - set(parts):
        print(f"There is no part {', '.join(sorted(unknown))}; there are {', '.join(parts)}.", file=sys.stderr)
        return 2
    failed = 0
    for part in chosen or parts:
        began = time.perf_counter()
        for figure in import_module(f"attacks.{part}").run():
            failed += not figure.holds
            mark = "✓" if figure.holds else "✗"
            print(f"{mark} {part:10} {figure.what:70} {figure.found:>24}   wanted: {figure.wanted}", flush=True)
        print(f"  {part:10} {time.perf_counter() - began:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
