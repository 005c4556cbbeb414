"""The summaries that Hermes puts in place of what it compacted, and the frames around them."""

from __future__ import annotations

STARTS = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]", "[PRIOR CONTEXT")
FRAMES = (*STARTS, "[END OF PRIOR CONTEXT", "--- END OF CONTEXT SUMMARY")


def body_of_summary(summary: str) -> str:
    """What a summary tells, without the lines by which the agent frames it, nor those of earlier ones in it.

    A frame is the agent's own word to the model, the same in every session. Where earlier summaries stand
    inside, the newest is the last. Where all is one line, the text stands behind the frame's bracket.
    """
    body: list[str] = []
    last: list[str] = []
    behind = ""
    for line in summary.split("\n"):
        if line.startswith(FRAMES):
            if any(map(str.strip, body)):
                last = body
            body, behind = [], line.partition("]")[2] or behind
        else:
            body.append(line)
    body = body if any(map(str.strip, body)) else last
    return ("\n".join(body) if body else behind).strip(" :\n")
