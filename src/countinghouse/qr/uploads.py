"""Reading the upload form, and only once it is known who sends it.

A form that is declared as parameters is read before any dependency runs: a stranger's whole file would be taken in
before anyone asks for the token.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request
from pydantic import ValidationError
from starlette.datastructures import FormData

from countinghouse.admins.doors import AnyActor
from countinghouse.core.errors import InvalidInput
from countinghouse.core.inputs import invalid_from
from countinghouse.qr.actions import NewQr
from countinghouse.qr.images import LARGEST_FILE_BYTES

# How the form stands in the API's description, which cannot see it in the parameters.
UPLOAD_FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["name", "upiId", "qrImage"],
                    "properties": {
                        "name": {"type": "string", "maxLength": 80, "examples": ["Desk 1"]},
                        "upiId": {"type": "string", "examples": ["desk1@okbank"]},
                        "qrImage": {
                            "type": "string",
                            "contentMediaType": "application/octet-stream",
                            "description": "PNG, JPEG or WebP, at most 5 MB.",
                        },
                    },
                }
            }
        },
    }
}


@dataclass(frozen=True, slots=True)
class Upload:
    new: NewQr
    image: bytes


async def read_upload(request: Request, _actor: AnyActor) -> Upload:
    try:
        form = await request.form(max_files=1, max_fields=10)
    except (UnicodeError, LookupError) as error:
        raise HTTPException(400) from error
    try:
        return Upload(_read_fields(form), await _read_image(form))
    finally:
        await form.close()


def _read_fields(form: FormData) -> NewQr:
    absent = [name for name in ("name", "upiId", "qrImage") if name not in form]
    if absent:
        raise InvalidInput({name: f"{name} is required." for name in absent})
    try:
        return NewQr.model_validate({"name": form["name"], "upiId": form["upiId"]})
    except ValidationError as error:
        raise invalid_from(error) from error


async def _read_image(form: FormData) -> bytes:
    file = form["qrImage"]
    if isinstance(file, str):
        raise InvalidInput({"qrImage": "qrImage must be a file."})
    return await file.read(LARGEST_FILE_BYTES + 1)


ReadUpload = Annotated[Upload, Depends(read_upload)]
