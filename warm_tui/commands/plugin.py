"""The plugin in the agent: switched on, and looked after."""

from __future__ import annotations

import click

from warm_tui.commands.base import Group, command, print_json, safe
from warm_tui.commands.changing import ask
from warm_tui.paths import Home


@click.group(cls=Group)
def plugin() -> None:
    """The plugin in the agent: whether it works, and switching it on."""


@plugin.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@command
@click.pass_obj
def enable(home: Home, yes: bool, as_json: bool) -> None:
    """Switch the plugin on, in the config.yaml of any version of Hermes."""
    import msgspec

    from warm_tui.agent import plugin_state
    from warm_tui.agent.running import running_agents

    ask(plugin_state.plan_enabling(home), yes)
    plan = plugin_state.enable(home)
    running = running_agents(home) if plan.changed else []
    advice = plugin_state.plugin_state(home).advice
    if as_json:
        facts = {"config_file": str(plan.path), "changed": plan.changed, "advice": advice}
        print_json({"success": True, **facts, "running": msgspec.to_builtins(running)})
        return
    click.echo("The plugin is switched on." if plan.changed else "The plugin was switched on already.")
    for sentence in (*advice, *(agent.told for agent in running)):
        click.echo(safe(sentence))


@plugin.command()
@command
@click.pass_obj
def status(home: Home, as_json: bool) -> None:
    """Say whether it is installed, switched on and taken in, and when it last recorded a session."""
    import msgspec

    from warm_tui.agent.plugin_state import plugin_state
    from warm_tui.doctor import lines_of_plugin

    state = plugin_state(home)
    if as_json:
        print_json({"success": True, **msgspec.to_builtins(state), "advice": state.advice})
        return
    from warm_tui.commands.printing import show_facts

    show_facts([*lines_of_plugin(state), *(("to do", sentence) for sentence in state.advice)])


COMMANDS = (plugin,)
