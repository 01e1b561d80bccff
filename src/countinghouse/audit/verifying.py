"""Checks the lines of a proof: the chain, the checkpoints, and that the stored records agree with the log."""

import re
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from functools import partial

from countinghouse.audit.accepting import accepted_rows
from countinghouse.audit.baselines import BaselineVerb
from countinghouse.audit.chain import GENESIS, AuditRow, canonical, digest_of, seal_after
from countinghouse.audit.checkpoints import read_checkpoint
from countinghouse.audit.early_rows import EarlyRows
from countinghouse.audit.logged_states import LoggedStates
from countinghouse.audit.proof import FORMAT, Line
from countinghouse.audit.records import Kind, Known, State, changed_before, details_of, fits, in_words
from countinghouse.audit.verdict import CannotVerify, Verdict
from countinghouse.core.times import now, stored_text

_SEAL = re.compile("[0-9a-f]{64}")
# Older than this, a row that nobody sealed is worth a remark.
LONG_UNSEALED = timedelta(minutes=1)


async def verify(lines: AsyncIterator[Line], kinds: Sequence[Kind], trusted_key: str | None = None) -> Verdict:
    """`trusted_key` is the public key that must have signed the checkpoints; otherwise the lines name it."""
    checking = _Checking(kinds, trusted_key)
    try:
        async for line in lines:
            checking.take(line)
        checking.finish()
    finally:
        checking.logged.close()
    return checking.verdict


class _Checking:
    def __init__(self, kinds: Sequence[Kind], trusted_key: str | None) -> None:
        self.kinds = {kind.name: kind for kind in kinds}
        self.by_noun: defaultdict[str, list[tuple[Kind, Known]]] = defaultdict(list)
        for kind in kinds:
            self.by_noun[kind.noun].append((kind, partial(self._state, kind.name)))
        self.trusted_key = trusted_key
        self.verdict = Verdict()
        self.logged = LoggedStates()
        self.early = EarlyRows(self._fits, self._learn)
        self.unlogged: Counter[str] = Counter()
        self.lacking: Counter[str] = Counter()
        # When an upgrade recorded what earlier rows did not tell, by kind.
        self.known_since: dict[str, str] = {}
        # Of which every record is there. An export of an earlier release lacks the kinds that it did not know.
        self.whole_kinds: set[str] = set()
        self.seal = GENESIS
        self.position = 0
        # The number of the seal at which checkpoints are looked up again.
        self.next_checkpoint = 0.0
        self.top = 0
        self.is_begun = False
        # The number and the time of the first row that is about to be sealed late.
        self.first_late: tuple[int, str] | None = None
        self.waits_long = False
        self.checkpoints_without_key = 0
        self.torn_lines: list[int] = []
        self.last_line = 0
        self.long_ago = stored_text(now() - LONG_UNSEALED)

    def take(self, line: Line) -> None:
        if not self.is_begun:
            self._begin(line)
        elif "checkpoint" in line:
            self._take_checkpoint(line)
        elif "position" in line:
            self._take_sealed(line)
        elif "unsealed" in line:
            self._take_unsealed(line)
        elif "record" in line:
            self._take_record(line)
        else:
            raise CannotVerify("This is not a complete export of the audit log: it has a line that is not part of one.")

    def _begin(self, line: Line) -> None:
        if line.get("format") != FORMAT:
            raise CannotVerify("This is not an export of the audit log.")
        key = line.get("key")
        if self.trusted_key is not None and key not in (None, self.trusted_key):
            self.verdict.tell(f"The checkpoints are signed by the key {key}, and not by {self.trusted_key}.")
        self.verdict.key = self.trusted_key or key or ""
        self.whole_kinds = set(line.get("kinds", ()))
        self.is_begun = True

    def _take_checkpoint(self, line: Line) -> None:
        checkpoint, self.last_line = read_checkpoint(line["checkpoint"]), line["line"]
        if checkpoint is None:
            self.torn_lines.append(self.last_line)
        elif not self.verdict.key:
            self.checkpoints_without_key += 1
        elif not checkpoint.is_signed_by(self.verdict.key):
            self.verdict.tell(f"The checkpoint of {checkpoint.at} is not signed by the key of this desk.")
        else:
            self.logged.add_checkpoint(checkpoint)
            self.next_checkpoint = 0.0
            self.verdict.checkpoints += 1

    def _take_sealed(self, line: Line) -> None:
        position, seq, row = line["position"], line["seq"], line["row"]
        if position != self.position + 1:
            self.verdict.tell(f"Row {seq}: the seal before it, number {self.position + 1}, is missing.")
        elif row is None:
            self.verdict.tell(f"Row {seq} is missing. It was sealed as number {position}, and was deleted since.")
        elif row["seq"] != seq or seal_after(self.seal, canonical(row)) != line["seal"]:
            self.verdict.tell(
                f"Row {seq} ({_named(row)}) does not match its seal, number {position}: "
                "the row, its seal or its place was altered."
            )
        # Also of a bad row: those behind it are named only if they are bad themselves.
        self.seal = line["seal"] if _SEAL.fullmatch(str(line["seal"])) else GENESIS
        self.position = position
        self.verdict.sealed += 1
        if position >= self.next_checkpoint:
            self._compare_with_checkpoints(position, seq)
        self.top = max(self.top, seq)
        if row is not None:
            for number, digest in accepted_rows(row):
                self.logged.add_accepted(number, digest, seq)
            self._take_row(row)

    def _compare_with_checkpoints(self, position: int, seq: int) -> None:
        for seal, at in self.logged.checkpoints_at(position):
            if seal != self.seal:
                self.verdict.tell(
                    f"Row {seq} or one before it was replaced together with its seal: number {position} "
                    f"is not what the checkpoint of {at} signed."
                )
        self.next_checkpoint = self.logged.next_checkpoint(position)

    def _take_unsealed(self, line: Line) -> None:
        row: AuditRow = line["unsealed"]
        self._take_row(row)
        self.verdict.unsealed += 1
        if line["isExpected"]:
            self.first_late = self.first_late or (row["seq"], str(row["at"]))
        else:
            # Whether it is below the newest sealed row is known at the end.
            self.logged.add_unexpected(row["seq"], str(row["at"]), digest_of(row), _named(row))

    def _judge_unexpected(self) -> None:
        accepted = 0
        for seq, named, is_accepted in self.logged.unexpected_below(self.top):
            self.verdict.unsealed -= 1
            accepted += is_accepted
            if not is_accepted:
                self.verdict.tell(
                    f"Row {seq} ({named}) was inserted later: rows up to {self.top} are sealed, and it is not. "
                    "If it is what happened, an owner can accept it: countinghouse audit accept."
                )
        for seq, by_seq in self.logged.accepted_and_gone():
            self.verdict.tell(f"Row {seq}, which row {by_seq} accepted without a seal, is gone.")
        if accepted:
            self.verdict.remarks.append(f"{accepted:,} rows have no seal and were accepted, see audit.accepted.")
        waiting = self.first_late or self.logged.first_unexpected_above(self.top)
        if waiting is not None and waiting[1] < self.long_ago:
            self.waits_long = True
            self.verdict.remarks.append(f"Row {waiting[0]} of {waiting[1]} waits for its seal. Is a server running?")

    def _take_row(self, row: AuditRow) -> None:
        if row["verb"] == BaselineVerb.RECORDED:
            self.early.take_no_more()
            self._learn_baseline(row)
        elif (noun := _noun(row)) in self.by_noun:
            self.early.take(noun, row)

    def _fits(self, row: AuditRow) -> bool:
        return all(
            fits(kind, row, state, found and found[0])
            for kind, state in self.by_noun[_noun(row)]
            for found in (self.logged.find(kind.name, str(row["subject_id"])),)
        )

    def _learn(self, row: AuditRow) -> None:
        for kind, state in self.by_noun[_noun(row)]:
            found = kind.logged_state(row, state)
            if found is not None:
                self._compare_before(kind, found[0], row)
                self.logged.set(kind.name, *found, row["seq"])

    def _compare_before(self, kind: Kind, record_id: str, row: AuditRow) -> None:
        """What a row says was there before it is what the last row before it left. Otherwise, somebody has changed the
        record in between, and may have changed it back since."""
        known = self.logged.find(kind.name, record_id)
        if known is not None and (was := changed_before(row, record_id, known[0])):
            self.verdict.tell(
                f"Row {known[1]} says of the {kind.name} {record_id}: "
                f"{in_words({name: known[0][name] for name in was})}. When row {row['seq']} changed it, it had "
                f"{in_words(was)}: it was changed directly in between."
            )

    def _learn_baseline(self, row: AuditRow) -> None:
        """It adds to what is known, and replaces nothing: what was altered before the upgrade stays a finding."""
        details = details_of(row)
        kind, records = self.kinds.get(str(details.get("kind"))), details.get("records")
        if kind is None or not isinstance(records, dict):
            return
        for record_id, told in records.items():
            found = self.logged.find(kind.name, record_id)
            if found is not None and kind.lacks_later(found[0]):
                self.logged.set(kind.name, record_id, told | found[0], row["seq"])
                self.known_since.setdefault(kind.name, str(row["at"]))

    def _state(self, kind: str, record_id: str, of_kind: str | None = None, /) -> State:
        found = self.logged.find(of_kind or kind, record_id)
        return found[0] if found else {}

    def _take_record(self, line: Line) -> None:
        self.early.take_no_more()
        kind, record_id, stored = self.kinds[line["record"]], line["id"], line["state"]
        self.verdict.records += 1
        self.whole_kinds.add(kind.name)
        found = self.logged.find(kind.name, record_id)
        if found is None:
            if kind.may_be_unlogged(stored):
                self.unlogged[kind.name] += kind.is_worth_a_remark(stored)
            else:
                self.verdict.tell(f"No row of the log is about the {kind.name} {record_id} ({in_words(stored)}).")
            return
        logged, seq = found
        self.logged.mark_found(kind.name, record_id)
        self.lacking[kind.name] += kind.lacks_later(logged)
        # An export of an earlier release lacks what is compared only since then.
        differing = {name: value for name, value in logged.items() if name in stored and stored[name] != value}
        if differing:
            is_now = in_words({name: stored[name] for name in differing})
            self.verdict.tell(
                f"Row {seq} is the last about the {kind.name} {record_id}, and says {in_words(differing)}. "
                f"Stored is {is_now}."
            )

    def finish(self) -> None:
        if not self.is_begun:
            raise CannotVerify("There is nothing to check: the file is empty.")
        self.early.take_no_more()
        self._judge_unexpected()
        count, at = self.logged.longest()
        self.verdict.checkpointed = count
        if count > self.position:
            self.verdict.tell(
                f"The log ends after seal {self.position}. When the checkpoint of {at} was made it had {count}: "
                "its end was cut off."
            )
        for line_number in self.torn_lines:
            # The machine may have stopped while it wrote one.
            self.verdict.remarks.append(f"Line {line_number} of the checkpoints is incomplete.")
        for name, unknown in self.unlogged.items():
            if unknown:
                self.verdict.remarks.append(
                    f"The log does not tell how {unknown:,} {name}s got their status: another program set it directly."
                )
        for name, since in self.known_since.items():
            what = self.kinds[name].later_in_words
            self.verdict.remarks.append(
                f"Of {name}s from before the upgrade, {what} is not known before {since}: it was recorded then."
            )
        for name, lacking in self.lacking.items():
            if lacking:
                what = self.kinds[name].later_in_words
                self.verdict.remarks.append(
                    f"The log does not tell {what} of {lacking:,} {name}s: an earlier release wrote their last row."
                )
        for kind, record_id, seq in self.logged.missing():
            if kind in self.whole_kinds:
                self.verdict.tell(f"Row {seq} is about the {kind} {record_id}, which is gone.")
        if self.checkpoints_without_key:
            self.verdict.unchecked.append(
                f"{self.checkpoints_without_key:,} checkpoints cannot be checked, because the key that signed them is "
                "missing. Copy the key of the audit log from the machine that it was made on "
                "(COUNTINGHOUSE_AUDIT_KEY), or give --public-key."
            )
        elif self.verdict.checkpoints == 0 and (self.verdict.sealed > 0 or self.waits_long):
            found = "The chain is intact" if self.verdict.sealed else "The log has no seals"
            self.verdict.unchecked.append(
                f"{found}, and there is no checkpoint to compare it with. Give the file of checkpoints and "
                "the key (COUNTINGHOUSE_AUDIT_CHECKPOINTS, COUNTINGHOUSE_AUDIT_KEY), or run a server first."
            )


def _noun(row: AuditRow) -> str:
    return str(row["verb"]).partition(".")[0]


def _named(row: AuditRow) -> str:
    return f"{row['verb']} by {row['actor']} at {row['at']}"
