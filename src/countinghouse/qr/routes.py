from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, with_config
from sqlalchemy import Connection, Row
from starlette.concurrency import run_in_threadpool
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
    what_to_draw,
    withdraw_display_request,
)
from countinghouse.qr.addresses import is_address
from countinghouse.qr.confirming import find_viewer, say_what_follows
from countinghouse.qr.displaying import read_display_rules
from countinghouse.qr.examining import Examined, examine
from countinghouse.qr.findings import QrFinding, Reading, judge, say_findings, say_reading
from countinghouse.qr.history import MOST_EVENTS, QrHistory, read_history
from countinghouse.qr.links import payment_link
from countinghouse.qr.picture import LARGEST_FILE_BYTES, Picture
from countinghouse.qr.picture_client import Pictures
from countinghouse.qr.queries import (
    IMAGE_PATH,
    QrCode,
    QrStatus,
    get_picture,
    list_displayed,
    select_qr_codes,
    to_qr_code,
    to_shown_qr,
)
from countinghouse.qr.uploads import READ_FORM, UPLOAD_FORM, ReadGlance, ReadUpload

UPLOAD_PATH = "/api/qr/upload"
READ_PATH = "/api/qr/read"
# The file, plus room for the two form fields and the multipart envelope.
UPLOAD_BYTES = LARGEST_FILE_BYTES + 64 * 1024

# Open without a token: paying customers see these anyway.
open_router = APIRouter(tags=["qr"])
router = APIRouter(prefix="/api/qr", tags=["qr"])
# Admins only: a confirmation is worth nothing unless it names a known person.
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
    # What has to be done before the code can be displayed; empty if there are no findings.
    follows: str
    # The payee, if it is a UPI ID that can be put into the form.
    upiId: str | None


def _pictures(request: Request) -> Pictures:
    return cast(Pictures, request.app.state.pictures)


def _answered(request: Request, connection: Connection, actor: Actor, row: Row[Any]) -> QrCode:
    return to_qr_code(row, read_display_rules(connection, actor.name), public_origin(request))


@open_router.get(
    "/api/qr",
    summary="QR codes, newest first; without a token only those on display",
    description="Without a token each has only `_id`, `createdAt`, `name`, `upiId`, `qrImage` and `status`.",
    response_model=list[QrCode],
)
async def list_qr_codes(request: Request, actor: MaybeActor) -> list[QrCode] | JSONResponse:
    if actor is None:
        # An open route: anonymous requests must not take a thread that an admin needs.
        origin = public_origin(request)
        return JSONResponse(await get_database(request).quick.read(lambda reader: list_displayed(reader, origin)))
    return await run_in_threadpool(_list_for_actor, request, actor)


def _list_for_actor(request: Request, actor: Actor) -> list[QrCode] | JSONResponse:
    origin = public_origin(request)
    with get_database(request).reading() as connection:
        rows = connection.execute(select_qr_codes()).all()
        if "authorization" not in request.headers:
            return JSONResponse([to_shown_qr(row, origin) for row in rows])
        rules = read_display_rules(connection, actor.name)
    return [to_qr_code(row, rules, origin) for row in rows]


@open_router.get(f"{IMAGE_PATH}/{{key}}.png", include_in_schema=False)
async def show_qr_image(key: str, request: Request) -> Response:
    content, is_upload = await get_database(request).quick.read(lambda reader: get_picture(reader, key))
    headers = {
        "Cache-Control": f"{'private' if is_upload else 'public'}, max-age=31536000, immutable",
        # A customer's app on another site shows it in an <img>.
        "Cross-Origin-Resource-Policy": "same-origin" if is_upload else "cross-origin",
    }
    return Response(content, media_type="image/png", headers=headers)


@router.post(
    "/upload",
    summary="Upload a QR code; it stays hidden until displayed",
    openapi_extra=UPLOAD_FORM,
    responses={503: {"model": ErrorAnswer}},
)
async def upload_qr_code(request: Request, actor: AnyActor, upload: ReadUpload) -> QrCode:
    upi_id = upload.new.upiId
    examined = await _pictures(request).run(actor.name, lambda worker: examine(worker, upload.image, upi_id))
    return await run_in_threadpool(_store_upload, request, actor, upload.new, examined)


def _store_upload(request: Request, actor: Actor, new: NewQr, examined: Examined) -> QrCode:
    # Opened only now: reading a picture takes time, and nobody should wait for the write lock meanwhile.
    with get_database(request).writing() as connection:
        return _answered(request, connection, actor, upload_qr(connection, actor, new, examined))


@router.post(
    "/read",
    summary="Read which address a picture pays; nothing is stored",
    openapi_extra=READ_FORM,
    responses={503: {"model": ErrorAnswer}},
)
async def read_qr_picture(request: Request, actor: AnyActor, glance: ReadGlance) -> QrGlance:
    _, seen = await _pictures(request).run(actor.name, lambda worker: worker.take(glance.image))
    reading = judge(seen, glance.upi_id)
    return {
        "payee": reading.payee,
        "payeeName": reading.payee_name,
        "amount": reading.fixed_amount,
        "sentence": say_reading(reading),
        "findings": say_findings(reading, glance.upi_id),
        "follows": await run_in_threadpool(_say_what_follows, request, actor, reading),
        "upiId": reading.payee if reading.payee and is_address(reading.payee) else None,
    }


def _say_what_follows(request: Request, actor: Actor, reading: Reading) -> str:
    with get_database(request).reading() as connection:
        return say_what_follows(find_viewer(connection, actor.name), reading)


@router.post(
    "/draw",
    summary="Make a QR code from a UPI ID; nothing is stored",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The picture"}, 503: {"model": ErrorAnswer}},
)
async def draw_qr_picture(request: Request, actor: AnyActor, asked: NewQr) -> Response:
    link = payment_link(asked.upiId, asked.name)
    drawn = await _pictures(request).run(actor.name, lambda worker: worker.draw(link))
    return Response(drawn.content, media_type="image/png")


@router.patch(
    "/status/{qr_id}",
    summary="Display or hide a QR code",
    description="If a second admin has to approve, the first call stores a request (202) and the code stays hidden.",
    responses={
        202: {"model": QrCode, "description": "Waits for a second admin"},
        404: {"model": ErrorAnswer},
        409: {"model": ErrorAnswer},
    },
)
def change_qr_status(
    qr_id: str, asked: QrStatusChange, actor: AnyActor, request: Request, response: Response
) -> QrCode:
    with get_database(request).writing() as connection:
        changed = set_qr_status(connection, actor, qr_id, asked.status)
        answer = _answered(request, connection, actor, changed)
    if answer["status"] != asked.status:
        response.status_code = 202
    return answer


@admin_router.delete(
    "/{qr_id}/display-request",
    summary="Withdraw your request to display a code, or decline another admin's",
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
def withdraw_qr_display_request(qr_id: str, actor: ActingAdmin, request: Request) -> QrCode:
    with get_database(request).writing() as connection:
        return _answered(request, connection, actor, withdraw_display_request(connection, actor, qr_id))


@router.delete("/{qr_id}", summary="Delete a QR code", responses={404: {"model": ErrorAnswer}})
def delete_qr_code(qr_id: str, actor: AnyActor, request: Request) -> Deleted:
    with get_database(request).writing() as connection:
        delete_qr(connection, actor, qr_id)
    return Deleted(message="The QR code is deleted.")


@admin_router.post(
    "/{qr_id}/confirm",
    summary="Confirm a QR code whose picture has findings, so that it can be displayed",
    responses={404: {"model": ErrorAnswer}, 409: {"model": ErrorAnswer}},
)
async def confirm_qr_code(qr_id: str, asked: QrConfirmRequest, actor: ActingAdmin, request: Request) -> QrCode:
    text = await run_in_threadpool(_what_to_draw, request, actor, qr_id)
    drawn = None if text is None else await _pictures(request).run(actor.name, lambda worker: worker.draw(text))
    return await run_in_threadpool(_confirm, request, actor, qr_id, asked, text, drawn)


def _what_to_draw(request: Request, actor: Actor, qr_id: str) -> str | None:
    with get_database(request).reading() as connection:
        return what_to_draw(connection, actor, qr_id)


def _confirm(
    request: Request, actor: Actor, qr_id: str, asked: QrConfirmRequest, text: str | None, drawn: Picture | None
) -> QrCode:
    with get_database(request).writing() as connection:
        confirmed = confirm_qr(connection, actor, qr_id, asked, text, drawn)
        return _answered(request, connection, actor, confirmed)


@admin_router.get("/history", summary="The history of the QR codes, newest first, and when each was on display")
def read_qr_history(
    request: Request,
    qr: str | None = None,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_EVENTS)] = 50,
) -> QrHistory:
    with get_database(request).reading() as connection:
        return read_history(connection, public_origin(request), qr, before, limit)
