"""The payment proof of a purchase: one picture, which is stored once and never changed."""

from hashlib import sha256
from typing import Literal

from pydantic import with_config
from sqlalchemy import bindparam, insert, select
from typing_extensions import TypedDict

from countinghouse.audit.actions import Actor, record
from countinghouse.core.db import AlreadyThere, Database, Reader, Statement, Transaction
from countinghouse.core.errors import Conflict, InvalidInput
from countinghouse.core.times import now
from countinghouse.intake.correcting import not_found
from countinghouse.intake.nouns import IntakeVerb
from countinghouse.purchases.tables import purchase_proofs, purchases
from countinghouse.qr.picture import Picture
from countinghouse.qr.picture_client import Pictures


@with_config(
    json_schema_extra={"examples": [{"_id": "6917e2f4a1b2c3d4e5000002", "externalId": "p-2001", "outcome": "created"}]}
)
class Proved(TypedDict):
    _id: str
    externalId: str
    outcome: Literal["created", "unchanged"]


_FIND = Statement(
    select(purchases.c.id, purchase_proofs.c.received_sha256)
    .outerjoin_from(purchases, purchase_proofs, purchase_proofs.c.purchase_id == purchases.c.id)
    .where(purchases.c.external_id == bindparam("external_id"))
)
_STORE = Statement(insert(purchase_proofs).inline())


async def prove_purchase(
    database: Database, pictures: Pictures, actor: Actor, external_id: str, received: bytes
) -> Proved:
    """Sending the same file again changes nothing and succeeds. It is not decoded again."""
    received_sha256 = sha256(received).hexdigest()
    purchase_id, is_known = await database.read(lambda reader: _find(reader, external_id, received_sha256))
    if not is_known:
        # Before the transaction: decoding a picture takes time, and nobody should wait for the lock meanwhile.
        picture = await _re_encode(pictures, actor, received)
        try:
            await database.write(lambda transaction: _store(transaction, actor, purchase_id, received_sha256, picture))
        except AlreadyThere:
            # Another call was faster, perhaps with another picture.
            _, is_known = await database.read(lambda reader: _find(reader, external_id, received_sha256))
    return {"_id": purchase_id, "externalId": external_id, "outcome": "unchanged" if is_known else "created"}


async def _find(reader: Reader, external_id: str, received_sha256: str) -> tuple[str, bool]:
    """The id of the purchase, and whether it has this proof already. Raises `Conflict` if it has another."""
    found = await reader.all(_FIND, {"external_id": external_id})
    if not found:
        raise not_found("purchase")
    purchase_id, stored = found[0]
    if stored not in (None, received_sha256):
        raise Conflict("proof_differs", "This purchase has another payment proof. A proof is never replaced.")
    return purchase_id, stored is not None


async def _re_encode(pictures: Pictures, actor: Actor, received: bytes) -> Picture:
    try:
        return await pictures.run(actor.name, lambda worker: worker.prove(received))
    except InvalidInput as error:
        # The worker names the field of the other form.
        raise InvalidInput({"proof": error.message}) from error


async def _store(
    transaction: Transaction, actor: Actor, purchase_id: str, received_sha256: str, picture: Picture
) -> None:
    row = {
        "purchase_id": purchase_id,
        "received_at": now(),
        "received_by": actor.name,
        "received_sha256": received_sha256,
        "sha256": picture.sha256,
        "width": picture.width,
        "height": picture.height,
        "content": picture.content,
    }
    await transaction.execute(_STORE, row)
    after = {"sha256": picture.sha256, "receivedSha256": received_sha256}
    await record(transaction, actor, IntakeVerb.PROOF_ADDED, purchase_id, after=after)
