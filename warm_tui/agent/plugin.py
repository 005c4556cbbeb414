"""The plugin in the agent: the tool `warm_session`, the command `/warm`, `hermes warm`, and who began warm.

Importing it takes nothing but the standard library, and a failure in it never reaches the agent: what is
heavy is imported where it is used, or runs in a process of its own.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warm_tui.agent.approving import Approvals
    from warm_tui.agent.recording import Recorder
    from warm_tui.agent.reviewing import Reviews
    from warm_tui.agent.warming import Warming
    from warm_tui.trials.drawing import Decision

logger = logging.getLogger(__name__)

TOOL = "warm_session"
ACTIONS = ("build", "list", "load", "delete", "profile", "compress-check", "compare")
DESCRIPTION = (
    "Templates of tool calls that worked, and how reliable sessions are. build: propose a template, mined from "
    "recorded sessions; the user decides on it. list, load: templates and proposals. delete: a proposal. "
    "profile: success and failure rates of a session. compress-check: what compaction did to it. compare: a warm "
    "session (session_id) against a cold one (compare_with)."
)


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


SCHEMA: dict[str, Any] = {
    "name": TOOL,
    "description": DESCRIPTION,
    "parameters": {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": list(ACTIONS), "description": "What to do."},
            "name": _text("The template or proposal (build, load, delete)."),
            "description": _text("What the template is for (build)."),
            "min_messages": {"type": "integer", "description": "Only sessions of so many messages (build; 30)."},
            "max_sessions": {"type": "integer", "description": "At most so many sessions (build; 30)."},
            "source_filter": _text("Only sessions of this source, such as cli or telegram (build)."),
            "tags": {"type": "array", "items": {"type": "string"}, "description": "Tags (build, list)."},
            "session_id": _text("The session (profile, compress-check, compare; build: only this one)."),
            "compare_with": _text("The cold session to compare with (compare)."),
        },
        "required": ["action"],
    },
}


def register(ctx: Any) -> None:
    """Called by Hermes, once a process. What one part fails at, the others do all the same."""
    # Since Hermes 0.17; an older one warms by the prefill file alone.
    memory = _Memory(lambda: ctx.register_middleware("llm_request", memory.on_model_request))
    for part in (
        lambda: ctx.register_tool(
            name=TOOL, toolset="skills", schema=SCHEMA, handler=memory.use_tool, description=DESCRIPTION, emoji="🔥"
        ),
        lambda: ctx.register_command(
            "warm", memory.slash, description="Warm templates: list, use NAME, off, status", args_hint="<what>"
        ),
        lambda: ctx.register_cli_command(
            name="warm", help="Warm TUI: sessions, templates, warm starts", setup_fn=_take_words, handler_fn=_pass_on
        ),
        lambda: ctx.register_hook("on_session_start", memory.on_start),
        lambda: ctx.register_hook("pre_llm_call", memory.on_turn),
        lambda: ctx.register_hook("pre_api_request", memory.on_request),
        lambda: ctx.register_hook("on_session_end", memory.on_end),
        lambda: ctx.register_hook("on_session_finalize", memory.on_finish),
        lambda: ctx.register_hook("post_api_request", memory.on_answer),
        lambda: ctx.register_hook("pre_tool_call", memory.on_call),
        lambda: ctx.register_hook("post_tool_call", memory.on_result),
        lambda: ctx.register_hook("post_llm_call", memory.on_turn_end),
        memory.see_requests,
    ):
        _quietly(part)


def _quietly(act: Callable[[], Any]) -> Any:
    """The agent's session goes on as if we were not there."""
    try:
        return act()
    except Exception:
        logger.debug("warm-tui could not do its part", exc_info=True)
        return None


def home_of_agent() -> Path:
    """As Hermes itself finds it."""
    try:
        from hermes_constants import get_hermes_home

        return Path(get_hermes_home())
    except Exception:
        from warm_tui.homes import default_home

        return default_home()


# --- the tool ---


def use_tool(args: Any, **given: Any) -> str:
    """Always JSON: what was found, or one sentence of what is wrong."""
    try:
        from warm_tui.agent.tool import answer

        current = given.get("session_id")
        answered = answer(args, home_of_agent(), current if isinstance(current, str) else "")
    except Exception as error:
        logger.debug("warm_session failed", exc_info=True)
        answered = {"success": False, "error": f"warm_session failed: {type(error).__name__}."}
    return json.dumps(answered)


# --- the commands ---

# Without the folder one stands in on the path: an agent's project may hold a `json.py` or a `warm_tui` of its own.
OUR_COMMAND = (sys.executable, "-P", "-m", "warm_tui")


def own_environment() -> dict[str, str]:
    """For the same reason without relative places in PYTHONPATH."""
    environment = dict(os.environ)
    places = [place for place in environment.pop("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(place)]
    return environment | ({"PYTHONPATH": os.pathsep.join(places)} if places else {})


def _take_words(parser: Any) -> None:
    # Every word is ours, also one that looks like an option.
    parser.prefix_chars = "\0"
    parser.add_argument("words", nargs="...", metavar="...", help="As for the command warm-tui; without any, the app.")


def _pass_on(args: Any) -> int:
    """`hermes warm ...` is a door to our command line, and means the home that this Hermes runs in."""
    named = {word.partition("=")[0] for word in args.words}
    home = [] if named & {"--home", "--profile", "--demo"} else ["--home", str(home_of_agent())]
    code = subprocess.run([*OUR_COMMAND, *home, *args.words], check=False, env=own_environment()).returncode
    if code:
        sys.exit(code)
    return code


class _Memory:
    """What this process remembers: what its sessions begin with, and what could not be written down yet."""

    def __init__(self, ask_for_requests: Callable[[], Any]) -> None:
        self._ask_for_requests: Callable[[], Any] | None = ask_for_requests
        """None once that was done."""
        self._asking = Lock()
        self._looking: subprocess.Popen[bytes] | None = None
        self._recorder: Recorder | None = None
        self._warming: Warming | None = None
        self._approvals: Approvals | None = None
        self._reviews: Reviews | None = None
        self._own_messages: dict[str, int] = {}
        """Of a session that has not sent anything yet: how many messages are its own."""
        self._begun: set[str] = set()
        _quietly(self._begin)

    def _begin(self) -> None:
        """An agent reads its first messages when it starts: what is activated later is for the next process."""
        from warm_tui.agent.approving import Approvals
        from warm_tui.agent.recording import Recorder
        from warm_tui.agent.reviewing import Reviews
        from warm_tui.agent.warming import Warming

        self._approvals = Approvals(home_of_agent)
        self._recorder = Recorder(home_of_agent())
        self._warming = Warming(self._recorder.queue)
        self._reviews = Reviews(self._recorder.queue)
        self._recorder.loaded()

    def see_requests(self, session_id: str = "") -> None:
        """Hermes copies each request twice as soon as somebody wants to see them, so that is asked for when there is
        something to put in: when the agent starts, and at each turn, for rules that are made while it lives."""
        warming = self._warming
        if self._ask_for_requests is None or warming is None or not warming.is_wanted(home_of_agent, session_id):
            return
        # Two chats of a gateway may come here at once: who asks twice is given each request twice.
        with self._asking:
            ask, self._ask_for_requests = self._ask_for_requests, None
        if ask is not None:
            ask()

    def on_start(self, session_id: str = "", model: str = "", platform: str = "", **_: Any) -> None:
        # Whether there has been one or several is all that is asked of these.
        self._begun = {*list(self._begun)[:1], session_id}
        if self._approvals is not None:
            self._approvals.began(str(session_id), str(platform or ""))
        if self._recorder is not None and session_id:
            recorder = self._recorder
            _quietly(lambda: recorder.started(home_of_agent(), str(session_id), str(model or ""), str(platform or "")))

    def on_turn(self, session_id: str = "", conversation_history: Any = None, **_: Any) -> None:
        """Hermes 0.13 tells a session's own messages here alone."""
        _quietly(lambda: self.see_requests(str(session_id)))
        recorder = self._recorder
        if recorder is not None and session_id in recorder.unconfirmed and isinstance(conversation_history, list):
            self._own_messages = {session_id: len(conversation_history)}

    def on_request(
        self, session_id: str = "", message_count: Any = None, conversation_history: Any = None, **_: Any
    ) -> None:
        """What is sent decides: not every way into the agent hands on the messages that the settings name."""
        recorder = self._recorder
        if recorder is None or session_id not in recorder.unconfirmed or not isinstance(message_count, int):
            return
        told = isinstance(conversation_history, list)
        own = len(conversation_history) if told else self._own_messages.pop(session_id, None)
        # Where neither is told, it stays at what the settings say.
        if own is not None:
            _quietly(lambda: recorder.sent(session_id, message_count - own - 1))

    def on_model_request(self, request: Any = None, session_id: str = "", **told: Any) -> dict[str, Any] | None:
        """The request with what its session drew, if it drew a template."""
        warming = self._warming
        if warming is None or not session_id or not isinstance(request, dict):
            return None
        changed = _quietly(lambda: warming.request(home_of_agent, str(session_id), request, told))
        return {"request": changed} if changed is not None else None

    def on_answer(self, session_id: str = "", assistant_message: Any = None, **_: Any) -> None:
        """Hermes begins calls that are made together one after the other."""
        approvals = self._approvals
        if approvals is not None and len(getattr(assistant_message, "tool_calls", None) or ()) > 1:
            from warm_tui.agent.approving import calls_of

            _quietly(lambda: approvals.after_answer(calls_of(assistant_message, str(session_id))))

    def on_call(
        self,
        tool_name: str = "",
        args: Any = None,
        session_id: str = "",
        tool_call_id: str = "",
        task_id: str = "",
        **_: Any,
    ) -> dict[str, str] | None:
        """Never quietly: what fails here blocks."""
        if self._approvals is None:
            return None
        from warm_tui.agent.approving import Call

        arguments = args if isinstance(args, dict) else {}
        session = str(session_id or self._session_of(str(task_id)))
        return self._approvals.before_call(Call(str(tool_name), arguments, session, str(tool_call_id or "")))

    def _session_of(self, task: str) -> str:
        """Before 0.16 Hermes tells the task of a call alone. A gateway calls it as the session, others at random: then
        it is known where there has been one session only."""
        return next(iter(self._begun)) if len(self._begun) == 1 else task

    def on_result(
        self, tool_name: str = "", args: Any = None, result: Any = None, session_id: str = "", tool_call_id: str = "",
        **_: Any,
    ) -> None:  # fmt: skip
        reviews = self._reviews
        if reviews is not None and session_id:
            told = str(session_id), str(tool_name), args, result, str(tool_call_id)
            _quietly(lambda: reviews.after_call(home_of_agent, *told))

    def on_turn_end(self, session_id: str = "", conversation_history: Any = None, **_: Any) -> None:
        reviews = self._reviews
        if reviews is not None and session_id:
            _quietly(lambda: reviews.after_turn(home_of_agent, str(session_id), conversation_history))

    def on_end(self, session_id: str = "", completed: Any = None, interrupted: Any = None, **_: Any) -> None:
        if self._approvals is not None and session_id:
            approvals = self._approvals
            _quietly(lambda: approvals.ended(str(session_id)))
        if self._recorder is not None and session_id:
            recorder = self._recorder
            _quietly(lambda: recorder.ended(home_of_agent(), str(session_id), bool(completed), bool(interrupted)))
            _quietly(lambda: self._have_trials_looked_at(str(session_id)))

    def on_finish(self, session_id: Any = None, **_: Any) -> None:
        """Nobody goes on with it now, which the end of a turn does not say."""
        recorder = self._recorder
        if recorder is not None and session_id:
            _quietly(lambda: recorder.finished(home_of_agent(), str(session_id)))

    def _have_trials_looked_at(self, session_id: str) -> None:
        """In a process of its own, which is not waited for: a rule that does harm is switched off by it."""
        if self._looking is not None and self._looking.poll() is None:
            return
        if self._warming is not None and self._warming.look_is_due(home_of_agent, session_id):
            command = [*OUR_COMMAND, "--home", str(home_of_agent()), "trials", "status", "--json"]
            null = subprocess.DEVNULL
            self._looking = subprocess.Popen(
                command, stdin=null, stdout=null, stderr=null, cwd="/", env=own_environment(), start_new_session=True
            )

    def use_tool(self, args: Any, **given: Any) -> str:
        """Hermes 0.13 does not tell whose tool it is: in a process of one session there is no doubt."""
        if "session_id" not in given and len(self._begun) == 1:
            given["session_id"] = next(iter(self._begun))
        return use_tool(args, **given)

    def _drew(self) -> Decision | None:
        """What the session drew that this process is of, where there is no doubt which that is."""
        if self._warming is None or len(self._begun) != 1:
            return None
        return self._warming.decision(next(iter(self._begun)))

    def slash(self, words: str) -> str:
        try:
            from warm_tui.agent.tool import slash

            began = self._recorder.began_with() if self._recorder is not None else ""
            return slash(words, home_of_agent(), began, self._drew())
        except Exception as error:
            logger.debug("/warm failed", exc_info=True)
            return f"/warm failed: {type(error).__name__}."
