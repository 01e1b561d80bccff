"""Writing notes about a client, and revealing their number. Notes cannot be changed or deleted: they are history."""

from typing import Annotated

from pydantic import Field, with_config
from sqlalchemy import insert
from typing_extensions import TypedDict

from countinghouse.audit.actions import Actor, record
from countinghouse.clients.queries import Note, get_user
from countinghouse.clients.resource import ClientVerb
from countinghouse.clients.tables import client_notes
from countinghouse.core.db import Transaction
from countinghouse.core.examples import body_examples
from countinghouse.core.ids import new_id
from countinghouse.core.inputs import Body, PlainLines
from countinghouse.core.masking import Plain
from countinghouse.core.times import iso, now


class NewNote(Body):
    model_config = body_examples({"text": "Called on Monday: the account is her husband's."})

    text: Annotated[PlainLines, Field(min_length=1, max_length=2000)]


async def write_note(transaction: Transaction, actor: Actor, user_id: str, new: NewNote) -> Note:
    await get_user(transaction, user_id)
    note_id, at = new_id(), now()
    await transaction.execute(
        insert(client_notes).values(id=note_id, user_id=user_id, text=new.text, written_by=actor.name, written_at=at)
    )
    await record(transaction, actor, ClientVerb.NOTED, user_id, after={"note": note_id, "text": new.text})
    return {"_id": note_id, "text": new.text, "by": actor.name, "at": iso(at)}


@with_config(json_schema_extra={"examples": [{"mobile": "9805756092"}]})
class RevealedClient(TypedDict):
    mobile: Plain


async def reveal_client(transaction: Transaction, actor: Actor, user_id: str) -> RevealedClient:
    """For admins who see only its last digits. The audit log says who asked, and not the number."""
    user = await get_user(transaction, user_id)
    await record(transaction, actor, ClientVerb.REVEALED, user_id)
    return {"mobile": user["mobile"]}
