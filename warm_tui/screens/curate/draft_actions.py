"""What the keys of Curate do to the draft."""

from __future__ import annotations

from textual.screen import Screen

from warm_tui.screens.curate.draft_pane import DraftPane


class DraftActions(Screen[None]):
    @property
    def pane(self) -> DraftPane:
        return self.query_one(DraftPane)

    def action_hint(self) -> None:
        self.pane.edit_hint()

    def action_edit(self) -> None:
        self.pane.edit()

    def action_drop(self) -> None:
        self.pane.drop()

    def action_move_down(self) -> None:
        self.pane.move_by(1)

    def action_move_up(self) -> None:
        self.pane.move_by(-1)

    def action_join(self) -> None:
        self.pane.join()

    def action_add(self) -> None:
        self.pane.add()

    def action_mask(self) -> None:
        self.pane.mask()

    def action_undo(self) -> None:
        self.pane.undo()

    def action_redo(self) -> None:
        self.pane.redo()

    def action_drafts(self) -> None:
        self.pane.choose_draft()

    def action_conversation(self) -> None:
        self.pane.fold_conversation()

    def action_save(self) -> None:
        self.pane.save()
