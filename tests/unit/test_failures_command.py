"""`warm-tui failures`, its reports, and whether a template made a family go down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Record
from tests.unit.commands import at, document, run
from tests.unit.test_families import life, told
from tests.unit.test_kept_families import SESSIONS
from warm_tui.library.catalog import Catalog
from warm_tui.library.families import families
from warm_tui.library.uses import record_use
from warm_tui.paths import Home
from warm_tui.reliability.family_effects import Effect, effect_of
from warm_tui.reports.document import Say
from warm_tui.reports.failures import conclusion, families_document, family_document
from warm_tui.templates.files import Stored, TemplateFiles
from warm_tui.templates.model import WRITTEN_BY_HAND, Pattern, Template
from warm_tui.templates.speaking import KeptShapes, speakers

FIELDS = (
    "family_id, title, kind, tool, program, count, lost, mended, sessions, session_ids, homes, models, first_seen, "
    "last_seen, state, why, trend, mends, templates"
)


@pytest.fixture
def words(record: Record, tmp_path: Path) -> list[str]:
    return [*at(Home(tmp_path / "home", ())), "--db", str(record(SESSIONS))]


def test_all_families_as_json(words: list[str]) -> None:
    told_ = document(*words, "failures")
    assert (told_["success"], told_["total"], told_["count"]) == (True, 2, 2)
    curl, psql = told_["families"]
    assert ", ".join(curl) == FIELDS
    assert (curl["program"], curl["count"], curl["session_ids"]) == ("curl", 2, ["a", "b"])
    assert psql["title"] == "psql: relation does not exist"


def test_a_state_is_told_as_of_the_last_session_where_that_is_long_ago(record: Record, tmp_path: Path) -> None:
    with Catalog(Home(tmp_path / "home", (record(SESSIONS),))) as catalog:
        profiles = catalog.profiles()
        newest = max(profile.started_at for profile in profiles)
        for days, then in ((1, ""), (400, " as of the last session, 1y ago")):
            now = newest + days * 86_400
            found = families(catalog, now=now)
            one = family_document(found.all[0], found, (), now)
            said = [part.text for part in one.parts if isinstance(part, Say)]
            assert said[0].partition(":")[0] in {f"{state}{then}" for state in ("New", "Ongoing", "Over")}
            assert f"It costs most of what goes on{then}" in said[1]
            every = families_document(found, {}, now).parts
            assert any("All states are as of" in getattr(part, "text", "") for part in every) == bool(then)


def test_a_limit_and_a_filter(words: list[str]) -> None:
    assert document(*words, "failures", "--limit", "1")["count"] == 1
    assert document(*words, "failures", "--filter", "id:c")["total"] == 1


def test_one_family_with_its_calls(words: list[str]) -> None:
    name = document(*words, "failures")["families"][0]["family_id"]
    one = document(*words, "failures", name[:4])
    assert ", ".join(one) == f"success, {FIELDS}, calls"
    assert [call["session_id"] for call in one["calls"]] == ["b", "a"], "the newest first"


def test_a_family_is_muted_and_taken_back(words: list[str]) -> None:
    name = document(*words, "failures")["families"][0]["family_id"]
    muted = document(*words, "failures", name, "--mute", "it is known")
    assert (muted["state"], muted["why"]) == ("muted", "it is known")
    assert document(*words, "failures")["families"][-1]["family_id"] == name, "it comes last"
    assert document(*words, "failures", name, "--resolve", "mended")["state"] == "resolved"
    assert document(*words, "failures", name, "--unmute")["state"] == "ongoing"


def test_troubles_are_sentences(words: list[str]) -> None:
    assert run(*words, "failures", "zz", check=False).stderr.startswith("There is no family 'zz'")
    assert run(*words, "failures", "--mute", "why", check=False).returncode == 2
    assert run(*words, "failures", "--filter", "nothing:1", check=False).returncode == 2


@pytest.mark.parametrize("form", [".html", ".md", ".svg", ".json"])
def test_reports(words: list[str], tmp_path: Path, form: str) -> None:
    file = tmp_path / f"report{form}"
    printed = run(*words, "failures", "--report", str(file)).stdout
    assert "3 failures in 2 families" in printed
    text = file.read_text()
    assert "relation does not exist" in text
    if form == ".json":
        assert json.loads(text)["total"] == 2


# --- whether it went down ---


def warmed_from(day: int):
    return lambda name, _at: "mends" if int(name[1:]) >= day else ""


def effect(stories: str, since: int) -> Effect:
    lives = [life(f"s{number:03}", "a" if sign == "x" else ".", number) for number, sign in enumerate(stories)]
    found = told(lives)
    result = effect_of(found.all[0], found.exposed[found.all[0].id], "mends", warmed_from(since))
    assert result is not None
    return result


def test_it_went_down_where_the_interval_says_so() -> None:
    went = effect("xx-xxx-xxx" + "----------", 10)
    assert (went.before, went.after, went.went) == ((7, 9), (0, 10), "down"), "the first had to have it"
    assert went.high is not None
    assert went.high < 0


def test_it_cannot_be_told_of_few_sessions() -> None:
    assert effect("x-x--", 3).went == "cannot tell"


def test_it_went_up() -> None:
    assert effect("x---------" + "xxxxxxxxxx", 10).went == "up"


def test_a_template_speaks_to_what_its_patterns_are_like(record: Record, tmp_path: Path) -> None:
    home = Home(tmp_path / "home", (record(SESSIONS),))
    pattern = Pattern(tool_name="terminal", arguments={"command": "curl localhost"}, result="ok", whose=WRITTEN_BY_HAND)
    TemplateFiles(home).save(Template(name="web", patterns=(pattern,)))
    with Catalog(home) as catalog:
        record_use(catalog.library, "other", "activated", "")
        found = families(catalog)
        spoken = speakers(catalog, found)
    curl, psql = found.all
    (speaker,) = spoken[curl.id]
    assert (speaker.template, speaker.mends, speaker.same_aim, speaker.effect) == ("web", 0, 1, None)
    assert psql.id not in spoken


def test_templates_whose_files_stay_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Else a file that has just changed is read once more: it may change again within a tick of its clock.
    monkeypatch.setattr("warm_tui.templates.files.SETTLED_SECONDS", 0.0)
    files, kept, read = TemplateFiles(Home(tmp_path, ())), KeptShapes(), list[str]()
    for name in ("changed", "gone", "same"):
        pattern = Pattern(tool_name="terminal", arguments={"command": f"make {name}"}, whose=WRITTEN_BY_HAND)
        files.save(Template(name=name, patterns=(pattern,)))
    original = TemplateFiles._read

    def counted(self: TemplateFiles, path: Path) -> Stored:
        read.append(path.stem)
        return original(self, path)

    monkeypatch.setattr(TemplateFiles, "_read", counted)
    first = kept.read(files)
    assert (set(first), read) == ({f"terminal command=make {name}" for name in read}, ["changed", "gone", "same"])
    assert (kept.read(files), len(read)) == (first, 3)
    changed = files.find("changed")
    assert changed is not None
    changed.write_text(changed.read_text().replace("make changed", "make other"))
    (files.folder / "gone.json").unlink()
    assert set(kept.read(files)) == {"terminal command=make other", "terminal command=make same"}
    assert read[3:] == ["changed"]


def test_where_nothing_mended_what_costs_most_it_is_told_where_to_begin() -> None:
    unmended = life("a", "bbbb", 0)
    mended = life("b", "c.", 1, ["pip install --quiet requests", "pip install --quiet --user requests"])
    said = conclusion(told([unmended, mended]))
    assert "What costs most: psql: relation does not exist (4 calls lost). Nothing is known that mended it" in said
    assert said.endswith("costs most (1 call lost): pip install --quiet --user requests (1 of 1).")
    assert conclusion(told([unmended])).endswith("Nothing is known that mended it.")


def test_what_costs_most_among_equals_is_told_as_one_of_them() -> None:
    same = [
        life("a", "b", 0), life("b", "c.", 1, ["pip install --quiet requests", "pip install --quiet --user requests"]),
    ]  # fmt: skip
    found = told(same)
    assert [each.lost for each in found.all] == [1, 1]
    assert "(1 call lost, as much as 1 other)." in conclusion(found)
    for each in found.all:
        said = [part.text for part in family_document(each, found, (), found.newest).parts if isinstance(part, Say)]
        assert "It costs most of what goes on" in said[1]
        assert ", as much as 1 other" in said[1]
    assert "as much" not in conclusion(told(same[:1]))
