from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, with_config
from sqlalchemy import Connection, Row
from typing_extensions import TypedDict

from countinghouse.admins.doors import ActingAdmin, AnyActor, MaybeActor
from countinghouse.audit.actions import Actor
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.origins import public_origin
from countinghouse.core.http.requests import get_database
from countinghouse.qr.actions import (
    NewQr,
    QrConfirmRequest,
    confirm_qr,
    delete_qr,
    set_qr_status,
    upload_qr,
)
from countinghouse.qr.addresses import is_address
from countinghouse.qr.confirming import find_viewer, say_what_follows
from countinghouse.qr.drawing import draw_code
from countinghouse.qr.findings import QrFinding, judge, say_findings, say_reading
from countinghouse.qr.history import MOST_EVENTS, QrHistory, read_history
from countinghouse.qr.images import LARGEST_FILE_BYTES, read_picture
from countinghouse.qr.queries import (
    IMAGE_PATH,
    QrCode,
    QrStatus,
    get_picture,
    select_qr_codes,
    to_qr_code,
    to_shown_qr,
)
from countinghouse.qr.reading import read_codes
from countinghouse.qr.uploads import READ_FORM, UPLOAD_FORM, ReadGlance, ReadUpload

UPLOAD_PATH = "/api/qr/upload"
READ_PATH = "/api/qr/read"
# The file, and room for the two fields and the envelope around them.
UPLOAD_BYTES = LARGEST_FILE_BYTES + 64 * 1024

# Open without a token: what a paying customer may see anyway.
open_router = APIRouter(tags=["qr"])
router = APIRouter(prefix="/api/qr", tags=["qr"])
# For admins alone: who confirmed what is worth nothing unless it is known who that was.
admin_router = APIRouter(prefix="/api/qr", tags=["qr"])


class QrStatusChange(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "display"}]})

    status: QrStatus


class Deleted(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"message": "The QR code is deleted."}]})

    message: str


@with_config(
    json_schema_extra={
        "examples": [
            {
                "payee": "desk1@okbank",
                "payeeName": "Acme Traders",
                "amount": None,
                "sentence": "This code pays desk1@okbank, Acme Traders.",
                "findings": [],
                "follows": "",
                "upiId": "desk1@okbank",
            }
        ]
    }
)
class QrGlance(TypedDict):
    payee: str | None
    payeeName: str | None
    amount: str | None
    sentence: str
    findings: list[QrFinding]
    # What has to be done after the upload before it can be displayed; empty where nothing was found.
    follows: str
    # The payee, where it is a UPI address that can be put into the form.
    upiId: str | None


def _answered(request: Request, connection: Connection, actor: Actor, row: Row[Any]) -> QrCode:
    return to_qr_code(row, find_viewer(connection, actor.name), public_origin(request))


@open_router.get(
    "/api/qr",
    summary="QR codes, newest first; without a token only those on display",
    description="Without a token each has only `_id`, `createdAt`, `name`, `upiId`, `qrImage` and `status`.",
    response_model=list[QrCode],
)
def list_qr_codes(request: Request, actor: MaybeActor) -> list[QrCode] | JSONResponse:
    origin = public_origin(request)
    codes = select_qr_codes(only_displayed=actor is None)
    with get_database(request).reading() as connection:
        rows = connection.execute(codes).all()
        if actor is None or "authorization" not in request.headers:
            return JSONResponse([to_shown_qr(row, origin) for row in rows])
        viewer = find_viewer(connection, actor.name)
    return [to_qr_code(row, viewer, origin) for row in rows]


@open_router.get(f"{IMAGE_PATH}/{{key}}.png", include_in_schema=False)
def show_qr_image(key: str, request: Request) -> Response:
    with get_database(request).reading() as connection:
        picture = get_picture(connection, key)
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable",
        # A customer's app on another site shows it with a plain <img>.
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return Response(picture, media_type="image/png", headers=headers)


@router.post("/upload", summary="Upload a QR code; it stays hidden until displayed", openapi_extra=UPLOAD_FORM)
def upload_qr_code(request: Request, actor: AnyActor, upload: ReadUpload) -> QrCode:
    picture = read_picture(upload.image)
    reading = judge(read_codes(picture.content), upload.new.upiId)
    # Opened only now: reading a picture takes a while, and nobody should wait for the write lock meanwhile.
    with get_database(request).writing() as connection:
        stored = upload_qr(connection, actor, upload.new, picture, reading)
        return _answered(request, connection, actor, stored)


@router.post("/read", summary="Say what a picture pays; nothing is stored", openapi_extra=READ_FORM)
def read_qr_picture(request: Request, actor: AnyActor, glance: ReadGlance) -> QrGlance:
    reading = judge(read_codes(read_picture(glance.image).content), glance.upi_id)
    with get_database(request).reading() as connection:
        viewer = find_viewer(connection, actor.name)
    return {
        "payee": reading.payee,
        "payeeName": reading.payee_name,
        "amount": reading.fixed_amount,
        "sentence": say_reading(reading),
        "findings": say_findings(reading, glance.upi_id),
        "follows": say_what_follows(viewer, reading),
        "upiId": reading.payee if reading.payee and is_address(reading.payee) else None,
    }


@router.post(
    "/draw",
    summary="Draw the code of a UPI ID; nothing is stored",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The picture"}},
)
def draw_qr_picture(_actor: AnyActor, asked: NewQr) -> Response:
    return Response(draw_code(asked.upiId, asked.name), media_type="image/png")


@router.patch(
    "/status/{qr_id}",
    summary="Display or hide a QR code",
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
def change_qr_status(qr_id: str, asked: QrStatusChange, actor: AnyActor, request: Request) -> QrCode:
    with get_database(request).writing() as connection:
        changed = set_qr_status(connection, actor, qr_id, asked.status)
        return _answered(request, connection, actor, changed)


@router.delete("/{qr_id}", summary="Delete a QR code", responses={404: {"model": ErrorAnswer}})
def delete_qr_code(qr_id: str, actor: AnyActor, request: Request) -> Deleted:
    with get_database(request).writing() as connection:
        delete_qr(connection, actor, qr_id)
    return Deleted(message="The QR code is deleted.")


@admin_router.post(
    "/{qr_id}/confirm",
    summary="Confirm a code in whose picture something was found, so that it can be displayed",
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
def confirm_qr_code(qr_id: str, asked: QrConfirmRequest, actor: ActingAdmin, request: Request) -> QrCode:
    with get_database(request).writing() as connection:
        confirmed = confirm_qr(connection, actor, qr_id, asked)
        return _answered(request, connection, actor, confirmed)


@admin_router.get("/history", summary="What happened to the codes, newest first, and when each was on display")
def read_qr_history(
    request: Request,
    qr: str | None = None,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_EVENTS)] = 50,
) -> QrHistory:
    with get_database(request).reading() as connection:
        return read_history(connection, public_origin(request), qr, before, limit)
