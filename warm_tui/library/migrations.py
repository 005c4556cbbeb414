"""The library's schema, as numbered steps. Steps are added at the end and never changed."""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("warm_tui")


@migrations()
def m001_profiles_and_verdicts(db: Database) -> None:
    db.table("profiles").create(
        {"database": str, "session_id": str, "stamp": str, "rules": int, "profile": bytes},
        pk=("database", "session_id"),
    )
    db.table("databases").create({"database": str, "state": str, "rules": int, "sessions": int}, pk="database")
    db.table("verdicts").create(
        {
            "session_id": str, "call": str, "outcome": str, "reason": str, "set_at": float,
        },
        pk=("session_id", "call"),
    )  # fmt: skip


@migrations()
def m002_marks(db: Database) -> None:
    db.table("marks").create({"session_id": str, "mark": str}, pk="session_id")


@migrations()
def m003_uses(db: Database) -> None:
    db.table("uses").create(
        {"id": int, "template": str, "what": str, "content": str, "at": float, "until": float}, pk="id"
    )


@migrations()
def m004_drafts(db: Database) -> None:
    db.table("drafts").create(
        {"id": int, "name": str, "step": int, "steps": int, "version": int, "updated_at": float}, pk="id"
    )
    db.table("draft_steps").create({"draft": int, "step": int, "body": bytes}, pk=("draft", "step"))
    db.table("draft_parts").create({"hash": str, "body": bytes}, pk="hash")


@migrations()
def m005_comparisons(db: Database) -> None:
    db.table("comparisons").create(
        {"name": str, "template": str, "asked": bytes, "told": bytes, "at": float}, pk="name"
    )


@migrations()
def m006_experiments(db: Database) -> None:
    db.table("experiments").create(
        {
            "id": int, "name": str, "template": str, "plan": bytes, "seed": int, "conversation": bytes, "state": str,
            "why": str, "pairs_told": int, "level": float, "worked": float, "created_at": float, "notes": str,
            "verdict": str,
        },
        pk="id",
    )  # fmt: skip
    db.table("runs").create(
        {
            "experiment": int, "position": int, "task": str, "repeat": int, "arm": str, "state": str, "reason": str,
            "token": str, "started_at": float, "ended_at": float, "session_id": str, "success": int,
            "cost_usd": float, "calls": int, "failures": int,
        },
        pk=("experiment", "position"),
    )  # fmt: skip


@migrations()
def m007_arms(db: Database) -> None:
    db.table("arms").create(
        {
            "session_id": str, "template": str, "content": str, "model": str, "platform": str, "started_at": float,
            "ended_at": float, "completed": int, "interrupted": int,
        },
        pk="session_id",
    )  # fmt: skip


@migrations()
def m008_reviews(db: Database) -> None:
    db.table("reviews").create({"hash": str, "at": float}, pk="hash")


@migrations()
def m009_attempts(db: Database) -> None:
    db.table("experiments").add_column("waits_for", str, not_null_default="")
    runs = db.table("runs")
    runs.add_column("judged", int)
    runs.add_column("outage", str, not_null_default="")
    runs.add_column("attempts", int, not_null_default=0)
    runs.add_column("lost_usd", float, not_null_default=0.0)
    db.table("attempts").create(
        {
            "experiment": int, "position": int, "number": int, "state": str, "reason": str, "outage": str,
            "session_id": str, "started_at": float, "ended_at": float, "cost_usd": float, "errors": str,
        },
        pk=("experiment", "position", "number"),
    )  # fmt: skip


@migrations()
def m010_listings(db: Database) -> None:
    db.table("listings").create(
        {"place": bytes, "path": bytes, "size": int, "changed": int, "shape": int, "told": bytes}, pk=("place", "path")
    )


@migrations()
def m011_failures(db: Database) -> None:
    db.table("profiles").add_column("failures", bytes)
    db.table("families").create({"family": str, "said": str, "why": str, "at": float}, pk="family")


@migrations()
def m012_signs(db: Database) -> None:
    """Of what was said before it is not known whose session was meant: it holds for each of that id, as it did."""
    for name, keys in (("verdicts", ("session_id", "sign", "call")), ("marks", ("session_id", "sign"))):
        table = db.table(name)
        table.add_column("sign", str, not_null_default="")
        table.transform(pk=keys)


@migrations()
def m013_outcomes_and_visits(db: Database) -> None:
    columns = {"session_id": str, "sign": str, "outcome": str, "reason": str, "set_at": float}
    db.table("outcomes").create(columns, pk=("session_id", "sign"))
    db.table("visits").create({"at": float, "agent": str}, pk="at")
    db.table("overviews").create({"places": str, "unit": str, "shape": int, "told": bytes}, pk=("places", "unit"))


@migrations()
def m014_trials(db: Database) -> None:
    db.table("trials").create(
        {
            "number": int, "position": int, "source": str, "model": str, "folder": str, "words": str, "revisions": str,
            "salt": str, "share": float, "holdout": float, "running": int, "why": str,
        },
        pk="number",
    )  # fmt: skip
    db.table("revisions").create({"content": str, "messages": str, "at": float}, pk="content")
    db.table("draws").create(
        {
            "session_id": str, "root": str, "rule": int, "template": str, "content": str, "chances": str, "reason": str,
            "platform": str, "model": str, "mode": str, "at": float,
        },
        pk="session_id",
    )  # fmt: skip


@migrations()
def m015_figures_and_notices(db: Database) -> None:
    db.table("trials").add_column("since", float, not_null_default=0.0)
    db.table("figures").create(
        {
            "session_id": str, "mark": str, "at": float, "failures": int, "known": int, "first_failures": int,
            "first_known": int, "first_success": int, "done": int, "tokens": int, "cost_usd": float,
        },
        pk="session_id",
    )  # fmt: skip
    db.table("notices").create(
        {"rule": int, "at": float, "said": str, "target": str, "outcome": str}, pk=("rule", "at")
    )
    db.table("looks").create({"what": str, "at": float}, pk="what")


@migrations()
def m016_template_revisions(db: Database) -> None:
    db.table("template_revisions").create(
        {
            "template": str, "number": int, "stamp": str, "body": bytes, "at": float, "by": str, "why": str,
            "suggestion": str,
        },
        pk=("template", "number"),
    )  # fmt: skip


@migrations()
def m017_suggestions(db: Database) -> None:
    columns = {"id": str, "body": bytes, "state": str, "why": str, "at": float, "decided_at": float}
    db.table("suggestions").create(columns, pk="id")
    db.table("reviewed").create({"session": str, "at": float}, pk="session")


@migrations()
def m018_guessed_tasks_and_standings(db: Database) -> None:
    db.table("trials").add_column("task", str, not_null_default="")
    db.table("standings").create({"rule": int, "mark": str, "told": bytes}, pk="rule")


@migrations()
def m019_learned_and_ends(db: Database) -> None:
    db.table("arms").add_column("finished_at", float)
    columns = {"session_id": str, "call": str, "what": str, "words": str, "at": float}
    db.table("learned").create(columns, pk=("session_id", "call"))


@migrations()
def m020_machines_of_runs(db: Database) -> None:
    db.table("runs").add_column("machine", str, not_null_default="")


@migrations()
def m021_what_paused_a_rule(db: Database) -> None:
    db.table("trials").add_column("paused_for", str, not_null_default="")


@migrations()
def m022_versions_that_made_runs(db: Database) -> None:
    db.table("runs").add_column("hermes", str, not_null_default="")
