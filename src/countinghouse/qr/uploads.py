"""Reads forms that contain a picture, but only after the client is authenticated.

FastAPI reads a form that is declared as parameters before any dependency runs: it would receive a stranger's whole file
before checking the token.
"""

from typing import Annotated, Any

from fastapi import Depends, Request
from pydantic import ValidationError
from starlette.datastructures import FormData

from countinghouse.admins.dependencies import AnyActor
from countinghouse.core.errors import InvalidInput
from countinghouse.core.http.forms import read_form
from countinghouse.core.inputs import invalid_from
from countinghouse.qr.actions import NewQr
from countinghouse.qr.addresses import LONGEST_ADDRESS
from countinghouse.qr.picture import LARGEST_FILE_BYTES

_NAME = {"type": "string", "maxLength": 80, "examples": ["Desk 1"]}
_UPI_ID = {"type": "string", "examples": ["desk1@okbank"]}
_IMAGE = {
    "type": "string",
    "contentMediaType": "application/octet-stream",
    "description": "PNG, JPEG or WebP, at most 5 MB.",
}


def _describe_form(required: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    """Describes a form in the OpenAPI schema, which cannot derive it from the parameters."""
    schema = {"type": "object", "required": required, "properties": properties, "additionalProperties": False}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


UPLOAD_FORM = _describe_form(["name", "upiId", "qrImage"], {"name": _NAME, "upiId": _UPI_ID, "qrImage": _IMAGE})
READ_FORM = _describe_form(["qrImage"], {"upiId": _UPI_ID, "qrImage": _IMAGE})


async def _read_upload(request: Request, _actor: AnyActor) -> tuple[NewQr, bytes]:
    async with read_form(request, required=("name", "upiId", "qrImage")) as form:
        try:
            new = NewQr.model_validate({"name": form["name"], "upiId": form["upiId"]})
        except ValidationError as error:
            raise invalid_from(error) from error
        return new, await _read_image(form)


async def _read_glance(request: Request, _actor: AnyActor) -> tuple[str | None, bytes]:
    async with read_form(request, required=("qrImage",), optional=("upiId",)) as form:
        typed = form.get("upiId") or None
        if typed is not None and (not isinstance(typed, str) or len(typed) > LONGEST_ADDRESS):
            raise InvalidInput({"upiId": "upiId is not a UPI address; it must look like name@bank."})
        return typed, await _read_image(form)


async def _read_image(form: FormData) -> bytes:
    file = form["qrImage"]
    if isinstance(file, str):
        raise InvalidInput({"qrImage": "qrImage must be a file."})
    return await file.read(LARGEST_FILE_BYTES + 1)


ReadUpload = Annotated[tuple[NewQr, bytes], Depends(_read_upload)]
# A picture that is only read and not stored, and the address it should pay, if one was typed.
ReadGlance = Annotated[tuple[str | None, bytes], Depends(_read_glance)]
