"""Warm against cold."""

from __future__ import annotations

import json
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

import click

from warm_tui.commands.base import command, open_catalog, print_json, progress_line, report_option, safe
from warm_tui.errors import Trouble
from warm_tui.paths import Home

if TYPE_CHECKING:
    from warm_tui.comparisons.spec import ComparisonSpec
    from warm_tui.library.catalog import Catalog


@click.command()
@click.argument("pair", nargs=-1, metavar="[WARM COLD]")
@click.option("--warm", multiple=True, metavar="ID", help="A session of the warm arm; may be given again.")
@click.option("--cold", multiple=True, metavar="ID", help="A session of the cold arm; may be given again.")
@click.option("--marks", is_flag=True, help="The sessions marked warm and cold in the app.")
@click.option("--warm-filter", metavar="Q", help="The sessions that match, as in `sessions --filter`.")
@click.option("--cold-filter", metavar="Q", help="The sessions that match.")
@click.option(
    "--template", metavar="NAME", help="Sessions warm by it, against others of the same time, source and model."
)
@click.option("--saved", metavar="NAME", help="A comparison that was saved.")
@click.option("--paired", is_flag=True, help="By task; where no tasks are known, the nth warm with the nth cold one.")
@click.option("--unpaired", is_flag=True, help="Not by task, even where the same ones ran in both arms.")
@click.option("--without-sources", is_flag=True, help="Leave out sessions that the template was made from.")
@click.option(
    "--tasks", type=click.Path(path_type=Path, dir_okay=False, exists=True), metavar="FILE",
    help='Tasks and their outcomes: a JSON list of {"session_id", "task", "success"}.',
)  # fmt: skip
@click.option("--save", metavar="NAME", help="Keep the comparison under this name.")
@report_option
@command
@click.pass_obj
def compare(
    home: Home,
    /,
    save: str | None,
    report: Path | None,
    overwrite: bool,
    tasks: Path | None,
    as_json: bool,
    **wanted: Any,
) -> None:
    """Say whether warm sessions fail less than cold ones, and what that proves."""
    from msgspec.structs import replace

    from warm_tui.comparisons.arms import compare_arms, home_of
    from warm_tui.reports.comparison import comparison_document
    from warm_tui.reports.comparison_json import of_comparison
    from warm_tui.reports.write import check_report

    if report:
        check_report(home, report, overwrite)
    if save is not None and not save.strip():
        raise click.UsageError("--save needs a name.")
    facts = facts_in(tasks) if tasks else {}
    with open_catalog(home) as catalog:
        spec = spec_of(catalog, **wanted)
    with open_catalog(home_of(home, spec)) as catalog:
        compared = compare_arms(catalog, replace(spec, facts=facts or spec.facts), progress_line())
        if save:
            from warm_tui.comparisons.saved import save_comparison

            save_comparison(catalog.library, save, compared)
    if report:
        from warm_tui.reports.write import write_report

        write_report(home, comparison_document(compared, whole=True), report, overwrite)
        click.echo(f"Written to {safe(str(report))}.", err=True)
    if as_json:
        print_json({"success": True, **of_comparison(compared)})
        return
    from warm_tui.commands.printing import show_document

    show_document(comparison_document(compared))


def spec_of(catalog: Catalog, *, paired: bool, unpaired: bool, without_sources: bool, **arms: Any) -> ComparisonSpec:
    """Which arms the options name: by exactly one of the ways there are."""
    from msgspec.structs import replace

    from warm_tui.comparisons.spec import ComparisonSpec
    from warm_tui.reliability.filters import parse_filter

    if paired and unpaired:
        raise click.UsageError("--paired and --unpaired cannot go together.")
    if len(arms["pair"]) not in (0, 2):
        raise click.UsageError("Name two sessions: WARM COLD.")
    filters = [arms["warm_filter"], arms["cold_filter"]]
    by_filters = any(words is not None for words in filters)
    ways = [arms["pair"], arms["warm"] or arms["cold"], arms["marks"], by_filters, arms["template"], arms["saved"]]
    if sum(map(bool, ways)) != 1:
        raise click.UsageError(
            "Name the arms in one way: WARM COLD, --warm and --cold, --marks, the two filters, --template or --saved."
        )
    if arms["saved"]:
        saved = saved_spec(catalog, arms["saved"])
        pairing = "order" if paired else "none" if unpaired else saved.pairing
        return replace(saved, pairing=pairing, without_sources=without_sources or saved.without_sources)
    rest: dict[str, Any] = {"pairing": "order" if paired else "none" if unpaired else "auto"}
    rest["without_sources"] = without_sources
    if arms["template"]:
        return ComparisonSpec("template", template=arms["template"], **rest)
    if arms["marks"]:
        return ComparisonSpec("marks", **rest)
    if by_filters:
        for words in filters:
            try:
                parse_filter(words or "")
            except Trouble as trouble:
                raise click.UsageError(str(trouble)) from trouble
        return ComparisonSpec("filters", warm_filter=filters[0] or "", cold_filter=filters[1] or "", **rest)
    return ComparisonSpec(
        "sessions", warm=arms["pair"][:1] or arms["warm"], cold=arms["pair"][1:] or arms["cold"], **rest
    )


def saved_spec(catalog: Catalog, name: str) -> ComparisonSpec:
    from warm_tui.comparisons.saved import saved_comparisons

    saved = saved_comparisons(catalog.library)
    for comparison in saved:
        if comparison.name == name:
            return comparison.spec
    names = ", ".join(comparison.name for comparison in saved[:10])
    raise Trouble(f"There is no saved comparison {name!r}. " + (f"There are: {names}." if names else "None was saved."))


def facts_in(path: Path) -> dict[str, tuple[str, bool | None]]:
    """What a file tells of sessions: the task, as a text or a number, and whether it was done."""
    from warm_tui.writing import read_regular

    wrong = f'{path} is no JSON list of {{"session_id", "task", "success"}}, success being true, false or null.'
    try:
        rows = json.loads(read_regular(path))
        facts = {row["session_id"]: (row["task"], row.get("success")) for row in rows}
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Trouble(wrong) from error
    for session, (task, success) in facts.items():
        if not isinstance(session, str) or not isinstance(task, (str, int)) or type(success) not in (bool, NoneType):
            raise Trouble(wrong)
    return {
        session: (str(task), None if success is None else bool(success)) for session, (task, success) in facts.items()
    }


COMMANDS = (compare,)
