"""`CockpitModel`: the newest `SessionView`, and what a screen remembers between two of them. No widgets."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from copilot.core.detection import Detection
from copilot.core.plan_progress import of_plan_command
from copilot.core.reply import Decision, Proposal, Reply
from copilot.core.reply_keys import never_words
from copilot.core.risk import Risk
from copilot.core.screen_kinds import SECRET_KINDS, kind_noun
from copilot.core.states import END_STATES, RunState
from copilot.engine.history import has_reply
from copilot.engine.view import SessionView


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal and what policy made of it."""

    proposal: Proposal
    decision: Decision | None


class Drafts:
    """Oldest first. A newer one comes to the front; the others stay until the prompt goes or changes.

    A draft lives no longer than the session would keep a reply: not after the person has typed, nor under
    another governing prompt.
    """

    def __init__(self) -> None:
        self._all: list[Draft] = []
        self._at = 0
        self._governed_by = 0

    def take(self, view: SessionView, *, new_prompt: bool) -> None:
        """Take over what a new view has."""
        if new_prompt or view.stale or view.governing_version != self._governed_by:
            self.clear()
            self._governed_by = view.governing_version
        if view.proposal is None or view.stale:
            return
        newest = Draft(view.proposal, view.decision)
        if self._all and self._all[-1].proposal == newest.proposal:
            self._all[-1] = newest
        else:
            self._all = [one for one in self._all if one.proposal.reply != newest.proposal.reply]
            self._all.append(newest)
            self._at = len(self._all) - 1
        if view.countdown_ends_at is not None:
            self._at = len(self._all) - 1

    def clear(self) -> None:
        self._all, self._at = [], 0

    def step(self, by: int) -> bool:
        """Look at the one before or after. False at the ends."""
        wanted = self._at + by
        if not 0 <= wanted < len(self._all):
            return False
        self._at = wanted
        return True

    @property
    def shown(self) -> Draft | None:
        return self._all[self._at] if self._all else None

    @property
    def shows_newest(self) -> bool:
        return self._at == len(self._all) - 1

    @property
    def place(self) -> str:
        """`2 of 3`; empty if there is but one."""
        return f"{self._at + 1} of {len(self._all)}" if len(self._all) > 1 else ""


SEEN_AFTER_SECONDS = 0.3
"""A key that comes sooner after one prompt took another's place was meant for the one before: no person reads
and reacts faster."""
REMEMBERED_SECONDS = 1.0
"""Between two prompts the screen may be read as busy for a moment."""
_MOST_STREAMED = 4000
"""Characters of a streaming reply that are kept for display."""


@dataclass(slots=True)
class CockpitModel:
    """What the panels show. `since` is when the present state or kind of screen began (seconds of the run).

    `chosen` is the index of the option under the person's mark, None while they have not moved it.
    """

    view: SessionView = field(default_factory=SessionView)
    since: float = 0.0
    chosen: int | None = None
    changed_at: float | None = None
    """When another prompt took the place of one that waited."""
    waited_at: float | None = None
    """When something last waited."""
    streamed: str = ""
    notes: deque[str] = field(default_factory=lambda: deque(maxlen=50))
    drafts: Drafts = field(default_factory=Drafts)
    offers: Mapping[str, str] = field(default_factory=dict)
    """Keys of actions as they are pressed from the terminal, by the action's id: `label` is `^] l`."""
    panel_keys: Mapping[str, str] = field(default_factory=dict)
    """The same in the reply panel, without the leader."""
    back_key: str = ""
    """The key that ends looking back, while keys look back in place of being typed."""
    expired: Proposal | None = None
    """The reply that died, while the view says why."""
    may_allow: bool = False
    """Whether a grant could be given for what is held, and would have it sent."""

    def update(self, view: SessionView, now: float) -> bool:
        """Take a new view. True if the prompt is another one now (or none)."""
        old, self.view = self.view, view
        if (old.state, old.detection.kind) != (view.state, view.detection.kind):
            self.since = now
        if view.proposal is not None or not view.waiting_for_provider:
            self.streamed = ""
        changed = old.detection.identity != view.detection.identity
        self._take_reply(view, new_prompt=changed)
        if changed:
            self.chosen = None
            waited_at = now if old.detection.waiting else self.waited_at
            recent = waited_at is not None and now - waited_at <= REMEMBERED_SECONDS
            self.changed_at = now if recent and view.detection.waiting else None
        if old.detection.waiting:
            self.waited_at = now
        return changed

    def _take_reply(self, view: SessionView, *, new_prompt: bool) -> None:
        shown = self.drafts.shown
        if not view.stale:
            self.expired = None
        elif shown is not None:
            self.expired = shown.proposal
        self.drafts.take(view, new_prompt=new_prompt)

    def just_changed(self, now: float) -> bool:
        """Whether the prompt is too new for the person to have meant it."""
        return self.changed_at is not None and now - self.changed_at < SEEN_AFTER_SECONDS

    def stream(self, text: str) -> None:
        self.streamed = (self.streamed + text)[-_MOST_STREAMED:]

    @property
    def detection(self) -> Detection:
        return self.view.detection

    @property
    def seen(self) -> SessionView:
        """The view with the draft that the person looks at: an older one, or one that outlived a failure."""
        shown, view = self.drafts.shown, self.view
        if shown is None or view.waiting_for_provider or shown.proposal is view.proposal:
            return view
        decision = view.decision if self.drafts.shows_newest else shown.decision
        return replace(view, proposal=shown.proposal, decision=decision)

    @property
    def proposal(self) -> Proposal | None:
        return self.seen.proposal

    def step_draft(self, by: int) -> bool:
        """Look at the reply that was written before or after this one. False if there is none."""
        if self.view.waiting_for_provider or not self.drafts.step(by):
            return False
        self.chosen = None
        return True

    @property
    def over(self) -> bool:
        return self.view.state in END_STATES

    @property
    def counting_down(self) -> bool:
        """Whether a reply will be sent by itself unless a key stops it."""
        return self.view.countdown_ends_at is not None

    @property
    def answerable(self) -> bool:
        """Whether a person's reply makes sense now."""
        return self.detection.waiting and not self.over and self.view.state is not RunState.ANSWERING

    @property
    def at_issue(self) -> bool:
        """Whether something is asked, or a reply is there or on its way."""
        return self.detection.asks or self.proposal is not None or self.view.waiting_for_provider

    @property
    def needs_person(self) -> bool:
        """Whether the run waits until a person acts."""
        return self.view.state is RunState.HELD

    def proposed_index(self) -> int | None:
        proposal = self.proposal
        if proposal is None or proposal.reply.choice is None:
            return None
        option = self.detection.option_named(proposal.reply.choice)
        return None if option is None else self.detection.options.index(option)

    def marked_index(self) -> int | None:
        """The option under the mark: the person's, else the proposed one, else the child's pointer."""
        options = self.detection.options
        if not options:
            return None
        if self.chosen is not None:
            return min(self.chosen, len(options) - 1)
        proposed = self.proposed_index()
        if proposed is not None:
            return proposed
        return next((index for index, option in enumerate(options) if option.selected), 0)

    def move_mark(self, by: int) -> None:
        """Move the mark up or down, without wrapping: the last option is often no, the first yes."""
        marked = self.marked_index()
        if marked is not None:
            self.chosen = max(0, min(len(self.detection.options) - 1, marked + by))

    def reply_to_send(self, *, from_panel: bool) -> Reply | None:
        """What "send" would send. The child's mere pointer is sent only from the panel, where it shows."""
        proposal, marked = self.proposal, self.marked_index()
        if self.detection.options and marked is not None:
            label = self.detection.options[marked].label
            if proposal is not None and marked == self.proposed_index():
                return proposal.reply
            if from_panel or self.chosen is not None:
                return Reply(choice=label)
            return None
        return proposal.reply if proposal is not None and has_reply(proposal.reply) else None

    @property
    def no_words(self) -> str:
        """Why nothing can be written here, neither a text nor words with an option; empty if it can."""
        detection = self.detection
        if detection.options or of_plan_command(detection) or not never_words(detection):
            return ""
        return f"words are never typed at {kind_noun(detection.kind)}"

    @property
    def marked_risk(self) -> Risk | None:
        """The risk of sending the option that the person has marked; None while that is the proposed one."""
        risks, marked = self.view.option_risks, self.marked_index()
        if self.chosen is None or marked is None or marked == self.proposed_index():
            return None
        return risks[marked] if len(risks) == len(self.detection.options) else None

    def draft_text(self) -> str:
        proposal = self.proposal
        return (proposal.reply.text or "") if proposal is not None else ""

    @property
    def secret(self) -> bool:
        """Whether what is asked is a password or a login, which only goes straight to the program."""
        return self.detection.kind in SECRET_KINDS
