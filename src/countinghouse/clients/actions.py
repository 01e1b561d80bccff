"""Writing notes about a client. Notes cannot be changed or deleted: they are part of the client's history."""

from typing import Annotated

from pydantic import BaseModel, Field
from sqlalchemy import insert

from countinghouse.audit.actions import Actor, record
from countinghouse.clients.queries import Note, get_user
from countinghouse.clients.resource import ClientVerb
from countinghouse.clients.tables import client_notes
from countinghouse.core.db import Transaction
from countinghouse.core.examples import body_config
from countinghouse.core.ids import new_id
from countinghouse.core.inputs import PlainLines
from countinghouse.core.times import iso, now


class NewNote(BaseModel):
    model_config = body_config({"text": "Called on Monday: the account is her husband's."})

    text: Annotated[PlainLines, Field(min_length=1, max_length=2000)]


async def write_note(transaction: Transaction, actor: Actor, user_id: str, new: NewNote) -> Note:
    await get_user(transaction, user_id)
    note_id, at = new_id(), now()
    await transaction.execute(
        insert(client_notes).values(id=note_id, user_id=user_id, text=new.text, written_by=actor.name, written_at=at)
    )
    await record(transaction, actor, ClientVerb.NOTED, user_id, after={"note": note_id, "text": new.text})
    return {"_id": note_id, "text": new.text, "by": actor.name, "at": iso(at)}
