"""How much the service for approvals bears, and whether anything is lost: `python tests/bench/approvals.py [WHAT ...]`.

load: 200 submissions a second for 30 s with 50 long polls open. kill: kill -9 at 30 moments under load. race: two
operators answer at once, 1,000 times.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import aiohttp

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.unit.approving import ASKED, Service, begin, end
from warm_tui.approvals.place import token_of
from warm_tui.approvals.store import Store
from warm_tui.secrets.own_key import key_of

RATE, SECONDS, POLLS = 200, 30, 50
KILLS, RACES = 30, 1_000


def session(service: Service, role: str) -> aiohttp.ClientSession:
    headers = {"Authorization": f"Bearer {token_of(service.place, role)}"}  # type: ignore[arg-type]
    return aiohttp.ClientSession(service.url, headers=headers, connector=aiohttp.TCPConnector(limit=300))


def share(values: list[float], part: float) -> str:
    return f"{sorted(values)[min(len(values) - 1, int(part * len(values)))] * 1000:.1f} ms"


async def load(service: Service) -> None:
    decided_at: dict[str, float] = {}
    reached: list[float] = []
    taken: list[float] = []
    submitted: list[str] = []

    async with session(service, "agent") as agent, session(service, "operator") as operator:

        async def submit(at: int) -> str:
            began = time.perf_counter()
            async with agent.post(
                "/confirm", json=ASKED | {"session_key": f"s{at}", "timeout_seconds": 3600}
            ) as answer:
                assert answer.status == 202, await answer.text()
                name = str((await answer.json())["id"])
            taken.append(time.perf_counter() - began)
            submitted.append(name)
            return name

        async def poll(stop: asyncio.Event, at: int) -> None:
            while not stop.is_set():
                name = await submit(1_000_000 + at)
                waiting = asyncio.create_task(wait(name))
                await asyncio.sleep(random.uniform(0.5, 1.5))
                decided_at[name] = time.perf_counter()
                async with operator.post(f"/confirm/{name}/approve", json={}) as answer:
                    assert answer.status == 200
                await waiting

        async def wait(name: str) -> None:
            async with agent.get(f"/confirm/{name}?wait=60") as answer:
                assert (await answer.json())["status"] == "approved"
                reached.append(time.perf_counter() - decided_at[name])

        stop = asyncio.Event()
        polls = [asyncio.create_task(poll(stop, at)) for at in range(POLLS)]
        began = time.perf_counter()
        submitting = []
        for at in range(RATE * SECONDS):
            await asyncio.sleep(max(0.0, began + at / RATE - time.perf_counter()))
            submitting.append(asyncio.create_task(submit(at)))
        await asyncio.gather(*submitting)
        lasted = time.perf_counter() - began
        stop.set()
        await asyncio.gather(*polls)
    print(f"{RATE * SECONDS:,} submissions in {lasted:.1f} s ({RATE * SECONDS / lasted:.0f}/s), {POLLS} polls open")
    print(f"a submission takes {share(taken, 0.5)} (p95 {share(taken, 0.95)})")
    print(
        f"a decision reaches its waiter in {share(reached, 0.5)} (p95 {share(reached, 0.95)}), {len(reached):,} decisions"
    )
    print("lost:", len(set(submitted) - {each.id for each in requests(service)}))


def requests(service: Service) -> list:
    import msgspec

    from warm_tui.approvals.model import Request

    store = Store(service.place.database, key_of(service.home), looking=True)
    found = [
        msgspec.json.decode(raw, type=Request) for (raw,) in store.connection.execute("SELECT request FROM requests")
    ]
    verified = store.verify()
    print(f"log: {verified.rows:,} rows, valid: {verified.valid} {verified.problems[:3]}")
    store.close()
    return found


async def race(service: Service) -> None:
    codes: Counter[tuple[int, int]] = Counter()
    async with session(service, "agent") as agent, session(service, "operator") as operator:

        async def answer(name: str, what: str) -> int:
            async with operator.post(f"/confirm/{name}/{what}", json={}) as answered:
                return answered.status

        for _ in range(RACES):
            async with agent.post("/confirm", json=ASKED) as asked:
                name = (await asked.json())["id"]
            both = await asyncio.gather(answer(name, "approve"), answer(name, "deny"))
            codes[tuple(sorted(both))] += 1  # type: ignore[index]
    print(f"{RACES:,} times two operators at once, their answers: {dict(codes)}")


async def under_fire(service: Service, taken: set[str], answered: dict[str, str], moment: float) -> None:
    """Until it is killed. What was answered 202, or decided with 200, is noted."""

    async def submit(at: int, agent: aiohttp.ClientSession, operator: aiohttp.ClientSession) -> None:
        try:
            while True:
                async with agent.post("/confirm", json=ASKED) as asked:
                    name = (await asked.json())["id"]
                taken.add(name)
                what = "approve" if at % 2 else "deny"
                async with operator.post(f"/confirm/{name}/{what}", json={}) as decided:
                    if decided.status == 200:
                        answered[name] = (await decided.json())["status"]
        except (aiohttp.ClientError, json.JSONDecodeError, KeyError):
            return

    async with session(service, "agent") as agent, session(service, "operator") as operator:
        working = [asyncio.create_task(submit(at, agent, operator)) for at in range(8)]
        await asyncio.sleep(moment)
        service.process.send_signal(signal.SIGKILL)
        await asyncio.gather(*working)
    service.process.communicate()


def kill(root: Path) -> None:
    taken: set[str] = set()
    answered: dict[str, str] = {}
    drawn = random.Random(7)
    for _ in range(KILLS):
        asyncio.run(under_fire(begin(root), taken, answered, drawn.uniform(0.1, 1.5)))
    service = begin(root)
    there = {each.id: each.status for each in requests(service)}
    lost = [name for name in taken if name not in there]
    changed = [name for name, status in answered.items() if there.get(name) != status]
    print(
        f"killed {KILLS} times: {len(taken):,} answered 202, {len(lost)} lost; {len(answered):,} decided, {len(changed)} otherwise"
    )
    end(service)


def main(words: list[str]) -> None:
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for what in words or ["load", "race", "kill"]:
        with tempfile.TemporaryDirectory() as folder:
            if what == "kill":
                kill(Path(folder))
                continue
            service = begin(Path(folder))
            asyncio.run({"load": load, "race": race}[what](service))
            end(service)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(f"the service took {used.ru_utime + used.ru_stime:.1f} s of the processor")


if __name__ == "__main__":
    main(sys.argv[1:])
