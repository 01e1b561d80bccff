"""The tasks for every contender. Each contender expresses them in its own API."""

from dataclasses import dataclass


@dataclass(frozen=True)
class NewestPage:
    """Fifty claims, newest first, each with its user and purchase."""


@dataclass(frozen=True)
class StatusPage:
    """The fifty newest claims with one status."""

    status: str


@dataclass(frozen=True)
class SearchedPage:
    """The newest fifty that contain the text in user name, mobile, account number or IFSC."""

    text: str
    status: str | None = None


@dataclass(frozen=True)
class DeepPage:
    """The fifty claims after the first `skip`; a contender that pages by key gets the key of the row before them."""

    skip: int
    created_at: str
    claim_id: str


@dataclass(frozen=True)
class WholeList:
    pass


@dataclass(frozen=True)
class Move:
    """A Pending claim becomes Accepted, with its transition and its audit row."""

    claim_id: str


@dataclass(frozen=True)
class Push:
    """A thousand new claims, as JSON: checked, stored and audited in one transaction."""

    number: int
    body: bytes


Task = NewestPage | StatusPage | SearchedPage | DeepPage | WholeList | Move | Push
PAGE = 50
