"""Activating and deactivating: config.yaml changes by one line, and comes back byte for byte."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from tests.unit.killing import killed_at_each_write
from warm_tui.agent.hermes_config import parse_config, prefill_in, provider_of, window_of, with_prefill
from warm_tui.agent.prefill import Prefill
from warm_tui.errors import ForeignPrefill, Trouble
from warm_tui.paths import Home

MESSAGES = [{"role": "user", "content": "Look."}, {"role": "assistant", "content": "Done."}]
CONFIG = """# My settings.
model:
    default: gpt-5   # the large one
    provider: "openai"
toolsets:
- terminal
-   file    # spaced as I like it
prompt: |
  prefill_messages_file: not this one
  second line

# the end"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "config.yaml").write_text(CONFIG)
    return Home(tmp_path, ())


def config(home: Home) -> str:
    return (home.root / "config.yaml").read_text()


def test_one_line_is_added_and_the_rest_is_left(home: Home) -> None:
    prefill = Prefill(home)
    plan = prefill.activate("mine", MESSAGES)
    assert plan.changed
    assert config(home) == f'{CONFIG}\nprefill_messages_file: "{prefill.file}"\n'
    assert json.loads(prefill.file.read_text()) == MESSAGES
    assert stat.S_IMODE(prefill.file.stat().st_mode) == 0o600
    active = prefill.active()
    assert active is not None
    assert active.template == "mine"


def test_deactivating_puts_back_what_was_byte_for_byte(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    assert prefill.deactivate().changed
    assert config(home) == CONFIG
    assert prefill.active() is None
    assert not prefill.file.exists()
    assert not prefill.deactivate().changed


def test_twice_and_another_template(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    assert not prefill.activate("mine", MESSAGES).changed
    prefill.activate("other", MESSAGES[:1])
    active = prefill.active()
    assert active is not None
    assert active.template == "other"
    assert json.loads(prefill.file.read_text()) == MESSAGES[:1]
    prefill.deactivate()
    assert config(home) == CONFIG


def test_a_line_laid_out_anew_is_still_ours(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("one", MESSAGES)
    (home.root / "config.yaml").write_text(config(home).replace('"', "'") + "# a word\n")
    assert not prefill.activate("two", MESSAGES).changed
    prefill.deactivate()
    assert prefill_in(prefill.settings()) == ""


def test_the_same_home_by_another_path(home: Home, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home.root)
    Prefill(Home(link, ())).activate("mine", MESSAGES)
    assert Prefill(home).active() is not None
    assert Prefill(home).deactivate().changed
    assert config(home) == CONFIG


def test_a_damaged_record_keeps_nobody_warm(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    record = json.loads(prefill.record.read_text())
    prefill.record.write_text(json.dumps(record | {"config_before": "%%%"}))
    prefill.deactivate()
    assert prefill_in(prefill.settings()) == ""


def test_a_dangling_link_is_written_through_and_left(home: Home, tmp_path: Path) -> None:
    (home.root / "config.yaml").unlink()
    target = tmp_path / "elsewhere.yaml"
    (home.root / "config.yaml").symlink_to(target)
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    assert prefill_in(parse_config(target.read_text(), target)) == str(prefill.file)
    prefill.deactivate()
    assert (home.root / "config.yaml").is_symlink()
    assert not target.exists()


def test_a_pipe_is_no_config(home: Home) -> None:
    (home.root / "config.yaml").unlink()
    os.mkfifo(home.root / "config.yaml")
    with pytest.raises(Trouble, match="cannot be read"):
        Prefill(home).activate("mine", MESSAGES)


def test_the_config_as_it_was_is_kept_beside(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    assert prefill.backup.read_text() == CONFIG


def test_what_the_user_changed_meanwhile_stays(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    (home.root / "config.yaml").write_text(config(home).replace("gpt-5", "gpt-6") + "more: 1\n")
    prefill.activate("other", MESSAGES)
    prefill.deactivate()
    assert config(home) == CONFIG.replace("gpt-5", "gpt-6") + "\nmore: 1\n"


def test_somebody_elses_prefill_is_refused_then_set_aside_and_put_back(home: Home) -> None:
    theirs = "prefill_messages_file: theirs.json  # mine!\n" + CONFIG
    (home.root / "config.yaml").write_text(theirs)
    prefill = Prefill(home)
    with pytest.raises(ForeignPrefill, match=r"of somebody else: theirs\.json"):
        prefill.activate("mine", MESSAGES)
    assert config(home) == theirs
    prefill.activate("mine", MESSAGES, replace=True)
    assert prefill_in(prefill.settings()) == str(prefill.file)
    (home.root / "config.yaml").write_text(config(home) + "\nmore: 1\n")
    prefill.deactivate()
    assert prefill_in(prefill.settings()) == "theirs.json"


def test_a_prefill_in_the_older_place_is_somebody_elses_too(home: Home) -> None:
    (home.root / "config.yaml").write_text("agent:\n  prefill_messages_file: old.json\n")
    with pytest.raises(Trouble, match=r"old\.json"):
        Prefill(home).activate("mine", MESSAGES)


def test_without_a_config_one_is_made_and_taken_away_again(tmp_path: Path) -> None:
    prefill = Prefill(Home(tmp_path, ()))
    prefill.activate("mine", MESSAGES)
    assert prefill_in(prefill.settings()) == str(prefill.file)
    prefill.deactivate()
    assert not (tmp_path / "config.yaml").exists()


@pytest.mark.parametrize("broken", ["a: [1", "- a\n- b\n", "a: b: c", "\tx: 1", b"\xff\xfe"])
def test_a_broken_config_is_told_and_left_alone(home: Home, broken: str | bytes) -> None:
    raw = broken if isinstance(broken, bytes) else broken.encode()
    (home.root / "config.yaml").write_bytes(raw)
    with pytest.raises(Trouble, match="left as it is"):
        Prefill(home).activate("mine", MESSAGES)
    assert (home.root / "config.yaml").read_bytes() == raw
    assert Prefill(home).active() is None
    assert Prefill(home).provider() == "openai"


def test_a_linked_config_stays_a_link_and_keeps_its_mode(home: Home, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.yaml"
    (home.root / "config.yaml").rename(real)
    real.chmod(0o640)
    (home.root / "config.yaml").symlink_to(real)
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    assert (home.root / "config.yaml").is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    prefill.deactivate()
    assert real.read_text() == CONFIG


def test_a_lost_record_does_not_keep_it_warm(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    prefill.record.unlink()
    prefill.activate("mine", MESSAGES)
    prefill.deactivate()
    assert prefill_in(prefill.settings()) == ""


@pytest.mark.parametrize(
    "text",
    [
        "", "a: 1", "a: 1\n", "a: 1\r\nb: 2\r\n", "---\na: 1\n...\n", "# only words\n", "prefill_messages_file:\n",
        "prefill_messages_file: ''\na: 1\n", "prefill_messages_file: >-\n  x\n  y\na: 1\n", "a: |\n  text\n   more\n",
        "prefill_messages_file: null # none\n", "{}\n", "null", "%YAML 1.1\n---\na: 1\n", "  a: 1\n  b: 2\n", "d: >\n  a\n  b",
        "a: 'x\u2028y'\nprefill_messages_file: old.json # mine\n", "d: &d {prefill_messages_file: ''}\n<<: *d\nz: 1\n",
        '{"a": 1, "b": [1, "x"]}', "{a: 1,\n b: 2}\n",
    ],
)  # fmt: skip
def test_set_and_taken_out_again_in_any_layout(text: str) -> None:
    path = Path("config.yaml")
    warm = with_prefill(text, path, "/x/y.json")
    assert prefill_in(parse_config(warm, path)) == "/x/y.json"
    cold = parse_config(with_prefill(warm, path, None), path)
    assert prefill_in(cold) == ""
    assert {k: v for k, v in cold.items() if k != "prefill_messages_file"} == {
        k: v for k, v in parse_config(text, path).items() if k != "prefill_messages_file"
    }


def test_a_layout_that_cannot_be_edited_is_told_with_what_to_do() -> None:
    with pytest.raises(Trouble, match="Set prefill_messages_file there yourself"):
        with_prefill("a: 1\n? prefill_messages_file\n: x\nb: 2\n", Path("config.yaml"), "/x.json")


@pytest.mark.parametrize(
    ("text", "provider", "window"),
    [
        ("model: {default: claude-opus-4.5, provider: anthropic}", "anthropic", None),
        ("model: {default: anthropic/claude-4, provider: openrouter, context_length: 200000}", "anthropic", 200_000),
        ("model: {default: devstral-2, base_url: 'https://api.mistral.ai/v1'}", "mistral", None),
        ("model: {default: mixtral, provider: custom}", "mistral", None),
        ("model: {default: m, provider: custom, api_mode: anthropic_messages}", "anthropic", None),
        ("model: {default: gpt-5, provider: openai-codex}", "any", None),
        ("model: google/gemini-3", "gemini", None),
        ("model: {default: gpt-5}", "openai", None),
        ("", "openai", None),
    ],
)
def test_whose_rules_hold_is_told_by_the_model(text: str, provider: str, window: int | None) -> None:
    settings = parse_config(text, Path("config.yaml"))
    assert (provider_of(settings), window_of(settings)) == (provider, window)


ACT = """
from pathlib import Path
from warm_tui.agent import installed
from warm_tui.agent.prefill import Prefill
from warm_tui.paths import Home
installed.agents_here = lambda: [installed.Installed(Path("/opt/hermes/bin/hermes"), None, "0.19.0")]
prefill = Prefill(Home(Path({root!r}), ()))
prefill.{act}
"""


def test_a_kill_while_activating_leaves_either_state(home: Home) -> None:
    prefill = Prefill(home)
    warm = f'{CONFIG}\nprefill_messages_file: "{prefill.file}"\n'
    for _ in killed_at_each_write(ACT.format(root=str(home.root), act=f"activate('mine', {MESSAGES!r})")):
        assert config(home) in (CONFIG, warm)
        if config(home) == warm:
            assert json.loads(prefill.file.read_text()) == MESSAGES
            assert prefill.active() is not None
        prefill.deactivate()
        assert config(home) == CONFIG


def test_a_kill_while_another_template_takes_over_leaves_one_of_them_whole(home: Home) -> None:
    prefill = Prefill(home)
    other = [{"role": "user", "content": "Other."}]
    prefill.activate("one", MESSAGES)
    for _ in killed_at_each_write(ACT.format(root=str(home.root), act=f"activate('two', {other!r})")):
        active = prefill.active()
        assert active is not None
        assert json.loads(prefill.file.read_text()) == {"one": MESSAGES, "two": other}[active.template]
        prefill.activate("one", MESSAGES)


def test_a_kill_while_deactivating_leaves_either_state(home: Home) -> None:
    prefill = Prefill(home)
    prefill.activate("mine", MESSAGES)
    warm = config(home)
    for _ in killed_at_each_write(ACT.format(root=str(home.root), act="deactivate()")):
        assert config(home) in (CONFIG, warm)
        if config(home) == warm:
            assert json.loads(prefill.file.read_text()) == MESSAGES
        prefill.deactivate()
        assert config(home) == CONFIG
        prefill.activate("mine", MESSAGES)
