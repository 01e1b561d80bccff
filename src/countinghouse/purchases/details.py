"""One purchase, and the purchases that its findings are about."""

from typing import Annotated, Any

from sqlalchemy import bindparam, select
from typing_extensions import TypedDict

from countinghouse.core.db import Reader, Statement
from countinghouse.core.errors import NotFound
from countinghouse.core.examples import Example, described
from countinghouse.core.ids import is_id
from countinghouse.core.listing.finding import bound_ids
from countinghouse.core.listing.items import ObjectQuery
from countinghouse.core.listing.sql import among, number
from countinghouse.core.masking import Reference
from countinghouse.core.times import to_moment
from countinghouse.india.days import indian_day, start_and_end
from countinghouse.india.references import one_slip_away, reference_key
from countinghouse.purchases.findings import MOST_OTHERS
from countinghouse.purchases.queries import PURCHASES, Purchase
from countinghouse.purchases.tables import purchase_proofs, purchases


@described
class Proof(TypedDict):
    """The picture that the client sent to the service as proof of payment. Another route serves it."""

    at: Annotated[str, Example("2026-11-15T02:53:10.480Z")]
    by: Annotated[str, Example("key app")]
    width: Annotated[int, Example(900)]
    height: Annotated[int, Example(2000)]


@described
class PurchaseDetails(TypedDict):
    """`externalId` is the service's own id. `related` are purchases with the same transaction ID, or one a typo away:
    the ten oldest of each."""

    purchase: Purchase
    externalId: Annotated[Reference | None, Example("p-2001")]
    proof: Annotated[Proof | None, Example(None)]
    related: Annotated[list[Purchase], Example([])]


_rows = PURCHASES.select_rows(purchases)
_oldest_first = purchases.c.created_at, purchases.c.id
_ONE = Statement(
    _rows.add_columns(purchases.c.created_at, purchases.c.invest_paise, purchases.c.external_id).where(
        purchases.c.id == bindparam("purchase_id")
    )
)
_others = _rows.where(purchases.c.id != bindparam("purchase_id")).order_by(*_oldest_first).limit(number(MOST_OTHERS))
_SAME_KEY = Statement(_others.where(purchases.c.reference_key == bindparam("key")))
# The same amount on the same day, as for the finding.
_NEAR = Statement(
    _others.where(
        among(purchases.c.reference_key, bindparam("ids")),
        purchases.c.invest_paise == bindparam("invest_paise"),
        purchases.c.created_at >= bindparam("start"),
        purchases.c.created_at < bindparam("end"),
    )
)


_proof = purchase_proofs.c
_PROOF = ObjectQuery(
    {"at": _proof.received_at, "by": _proof.received_by, "width": _proof.width, "height": _proof.height},
    lambda rows: rows.where(_proof.purchase_id == bindparam("purchase_id")),
)
_PICTURE = Statement(select(_proof.content).where(_proof.purchase_id == bindparam("purchase_id")))


async def get_proof(reader: Reader, purchase_id: str) -> bytes:
    """A JPEG."""
    found = await reader.all(_PICTURE, {"purchase_id": purchase_id}) if is_id(purchase_id) else []
    if not found:
        raise NotFound("proof_not_found", "There is no payment proof for this purchase.")
    return bytes(found[0][0])


async def read_details(reader: Reader, purchase_id: str) -> PurchaseDetails:
    found = await reader.all(_ONE, {"purchase_id": purchase_id}) if is_id(purchase_id) else []
    if not found:
        raise NotFound("purchase_not_found", "There is no such purchase. Reload the list.")
    *item, created_at, invest_paise, external_id = found[0]
    purchase = _as_purchase(tuple(item))
    codes = {finding["code"] for finding in purchase["findings"]}
    key = reference_key(purchase["upiId"])
    related = []
    if "repeated" in codes:
        related += await reader.all(_SAME_KEY, {"purchase_id": purchase_id, "key": key})
    bounds = start_and_end(indian_day(to_moment(created_at)))
    if "near" in codes and bounds is not None:
        values = {
            "purchase_id": purchase_id,
            "ids": bound_ids(sorted(one_slip_away(key)), reader.is_sqlite),
            "invest_paise": invest_paise,
            "start": bounds[0],
            "end": bounds[1],
        }
        related += await reader.all(_NEAR, values)
    proofs: list[Proof] = await _PROOF.read(reader, {"purchase_id": purchase_id})
    return {
        "purchase": purchase,
        "externalId": external_id,
        "proof": proofs[0] if proofs else None,
        "related": [_as_purchase(cells) for cells in related],
    }


def _as_purchase(cells: tuple[Any, ...]) -> Purchase:
    purchase: Purchase = PURCHASES.items.as_dict(cells)
    return purchase
