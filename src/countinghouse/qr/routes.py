from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Concatenate, ParamSpec, Self, cast

from fastapi import Depends, Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator
from sqlalchemy import Row
from typing_extensions import TypedDict

from countinghouse.admins.dependencies import (
    ActingAdmin,
    AnyActor,
    MaybeActor,
    SignedIn,
    SignedInOrTokenless,
    desk_router,
    needs,
)
from countinghouse.admins.factors.step_up import StepUp
from countinghouse.audit.actions import Actor
from countinghouse.core.db import Cost, Reader, Transaction
from countinghouse.core.examples import Example, body_examples, described
from countinghouse.core.http.answers import errors
from countinghouse.core.http.names import check_names
from countinghouse.core.http.requests import get_database, public_origin
from countinghouse.core.http.routers import UNSIGNED, open_router
from countinghouse.core.inputs import Body
from countinghouse.core.masking import Reference
from countinghouse.qr import actions, displaying, queries
from countinghouse.qr.actions import NewQr, QrConfirmRequest
from countinghouse.qr.addresses import is_address
from countinghouse.qr.findings import QrFinding, judge, say_findings, say_reading
from countinghouse.qr.history import MOST_EVENTS, QrHistory, read_history
from countinghouse.qr.payloads import payment_link
from countinghouse.qr.picture import LARGEST_FILE_BYTES
from countinghouse.qr.picture_client import Pictures, examine
from countinghouse.qr.queries import IMAGE_PATH, QrCode, QrStatus, ShownQr
from countinghouse.qr.resource import DELETE, DISPLAY, READ, UPLOAD
from countinghouse.qr.rules import find_viewer, read_display_rules, say_what_follows
from countinghouse.qr.uploads import READ_FORM, UPLOAD_FORM, ReadGlance, ReadUpload

UPLOAD_PATH = "/api/qr/upload"
READ_PATH = "/api/qr/read"
# The file, plus room for the two form fields and the multipart envelope.
UPLOAD_BYTES = LARGEST_FILE_BYTES + 64 * 1024

# Open without a token: paying customers see these anyway.
public_router = open_router("", "qr", responses=UNSIGNED)
router = desk_router("/api/qr", "qr", SignedInOrTokenless(READ))
# Admins only: a confirmation is worth nothing unless it names a known person.
admin_router = desk_router("/api/qr", "qr", SignedIn(READ))
_DISPLAY_STEP_UP = StepUp("qr.display", always=False)


ShortId = Annotated[str, Field(max_length=24)]


class QrStatusChange(Body):
    model_config = body_examples(
        {"status": "display", "seen": ["6917e2f4a1b2c3d4e5000001"], "replaces": "6917e2f4a1b2c3d4e5000001"}
    )

    status: QrStatus
    # The codes that were on display when the admin chose.
    seen: Annotated[list[ShortId], Field(max_length=1_000)] | None = None
    replaces: ShortId | None = None

    @model_validator(mode="after")
    def _replaces_only_with_display(self) -> Self:
        if self.replaces is not None and self.status == "hide":
            raise ValueError("replaces can only be sent with the status display.")
        return self


class Deleted(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"message": "The QR code is deleted."}]})

    message: str


@described
class QrGlance(TypedDict):
    payee: Annotated[Reference | None, Example("desk1@okbank")]
    payeeName: Annotated[str | None, Example("Acme Traders")]
    amount: Annotated[str | None, Example(None)]
    sentence: Annotated[str, Example("This code pays desk1@okbank, Acme Traders.")]
    findings: Annotated[list[QrFinding], Example([])]
    # What has to be done before the code can be displayed; empty if there are no findings.
    follows: Annotated[str, Example("")]
    # The payee, if it is a UPI ID that can be put into the form.
    upiId: Annotated[Reference | None, Example("desk1@okbank")]


def _pictures(request: Request) -> Pictures:
    return cast(Pictures, request.app.state.pictures)


P = ParamSpec("P")


async def _changed(
    request: Request,
    actor: Actor,
    change: Callable[Concatenate[Transaction, Actor, P], Coroutine[Any, Any, Row[Any]]],
    *arguments: P.args,
    **named: P.kwargs,
) -> QrCode:
    """Makes the change in one transaction, and returns the code as this actor sees it afterwards."""
    origin = public_origin(request)

    async def change_and_read(transaction: Transaction) -> QrCode:
        row = await change(transaction, actor, *arguments, **named)
        return queries.to_qr_code(row, await read_display_rules(transaction, actor.name), origin)

    return await get_database(request).write(change_and_read)


@public_router.get(
    "/api/qr",
    summary="QR codes, newest first; without a token only those on display",
    description="Without a token each has only `_id`, `createdAt`, `name`, `upiId`, `qrImage` and `status`.",
    response_model=list[QrCode] | list[ShownQr],
    dependencies=[Depends(SignedInOrTokenless(READ, is_required=False))],
)
async def list_qr_codes(request: Request, actor: MaybeActor) -> list[QrCode] | JSONResponse:
    # Routes that need a token are checked by their class.
    check_names(request.query_params, frozenset())
    database, origin = get_database(request), public_origin(request)
    if actor is None:
        # An open route: anonymous requests must not wait in the lane that an admin needs here.
        return JSONResponse(await database.read(lambda reader: queries.list_displayed(reader, origin)))
    if "authorization" not in request.headers:
        rows = await database.read(lambda reader: reader.rows(queries.select_qr_codes()), Cost.MEDIUM)
        return JSONResponse([queries.to_shown_qr(row, origin) for row in rows])

    async def list_for_actor(reader: Reader) -> list[QrCode]:
        rows, rules = await reader.rows(queries.select_qr_codes()), await read_display_rules(reader, actor.name)
        return [queries.to_qr_code(row, rules, origin) for row in rows]

    return await database.read(list_for_actor, Cost.MEDIUM, snapshot=True)


@public_router.get(f"{IMAGE_PATH}/{{key}}.png", include_in_schema=False)
async def show_qr_image(key: str, request: Request) -> Response:
    content, is_upload = await get_database(request).read(lambda reader: queries.get_picture(reader, key))
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
    dependencies=needs(UPLOAD),
)
async def upload_qr_code(request: Request, actor: AnyActor, upload: ReadUpload) -> QrCode:
    new, image = upload
    examined = await _pictures(request).run(actor.name, lambda worker: examine(worker, image, new.upiId))
    # The transaction begins only now: reading a picture takes time, and nobody should wait for the lock meanwhile.
    return await _changed(request, actor, actions.upload_qr, new, examined)


@router.post(
    "/read",
    summary="Read which address a picture pays; nothing is stored",
    openapi_extra=READ_FORM,
    dependencies=needs(UPLOAD),
)
async def read_qr_picture(request: Request, actor: AnyActor, glance: ReadGlance) -> QrGlance:
    upi_id, image = glance
    _, seen = await _pictures(request).run(actor.name, lambda worker: worker.take(image))
    reading = judge(seen, upi_id)
    viewer = await get_database(request).read(lambda reader: find_viewer(reader, actor.name))
    return {
        "payee": reading.payee,
        "payeeName": reading.payee_name,
        "amount": reading.fixed_amount,
        "sentence": say_reading(reading),
        "findings": say_findings(reading, upi_id),
        "follows": say_what_follows(viewer, reading),
        "upiId": reading.payee if reading.payee and is_address(reading.payee) else None,
    }


@router.post(
    "/draw",
    summary="Make a QR code from a UPI ID; nothing is stored",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The picture"}},
    dependencies=needs(UPLOAD),
)
async def draw_qr_picture(request: Request, actor: AnyActor, asked: NewQr) -> Response:
    link = payment_link(asked.upiId, asked.name)
    drawn = await _pictures(request).run(actor.name, lambda worker: worker.draw(link))
    return Response(drawn.content, media_type="image/png")


@router.patch(
    "/status/{qr_id}",
    summary="Display or hide a QR code",
    description="If a second admin has to approve, the first call stores a request (202) and the code stays hidden. "
    "`replaces` is the `_id` of a code that goes off display in the same transaction; null displays both. Without it, "
    "an approval follows the request. `seen` lists the `_id` of every code that was on display when the admin chose. "
    "If others are by then, nothing changes (409, `display_changed`): two admins who both saw none cannot display two. "
    "Hiding is refused only if that would hide the last code and `seen` names another one.",
    responses={
        202: {"model": QrCode, "description": "Waits for a second admin"},
        **errors(404, 409),
    },
    dependencies=[*needs(DISPLAY), Depends(_DISPLAY_STEP_UP)],
)
async def change_qr_status(
    qr_id: str, asked: QrStatusChange, actor: AnyActor, request: Request, response: Response
) -> QrCode:
    seen = None if asked.seen is None else frozenset(asked.seen)
    if asked.status == "display":
        await _DISPLAY_STEP_UP.demand(request)
        has_chosen, replaces = "replaces" in asked.model_fields_set, asked.replaces
        answer = await _changed(request, actor, displaying.display_qr, qr_id, replaces, seen, has_chosen=has_chosen)
    else:
        answer = await _changed(request, actor, displaying.hide_qr, qr_id, seen)
    if answer["status"] != asked.status:
        response.status_code = 202
    return answer


@admin_router.delete(
    "/{qr_id}/display-request",
    summary="Withdraw your request to display a code, or decline another admin's",
    responses=errors(404, 409),
    dependencies=needs(DISPLAY),
)
async def withdraw_qr_display_request(qr_id: str, actor: ActingAdmin, request: Request) -> QrCode:
    return await _changed(request, actor, displaying.withdraw_display_request, qr_id)


@router.delete("/{qr_id}", summary="Delete a QR code", responses=errors(404), dependencies=needs(DELETE))
async def delete_qr_code(qr_id: str, actor: AnyActor, request: Request) -> Deleted:
    await get_database(request).write(lambda transaction: actions.delete_qr(transaction, actor, qr_id))
    return Deleted(message="The QR code is deleted.")


@admin_router.post(
    "/{qr_id}/confirm",
    summary="Confirm a QR code whose picture has findings, so that it can be displayed",
    responses=errors(404, 409),
    dependencies=needs(DISPLAY),
)
async def confirm_qr_code(qr_id: str, asked: QrConfirmRequest, actor: ActingAdmin, request: Request) -> QrCode:
    # `actions.confirm_qr` checks that this is still the text to draw.
    text = await get_database(request).read(lambda reader: actions.what_to_draw(reader, actor, qr_id))
    drawn = None if text is None else await _pictures(request).run(actor.name, lambda worker: worker.draw(text))
    return await _changed(request, actor, actions.confirm_qr, qr_id, asked, text, drawn)


@admin_router.get("/history", summary="The history of the QR codes, newest first, and when each was on display")
async def read_qr_history(
    request: Request,
    qr: str | None = None,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_EVENTS)] = 50,
) -> QrHistory:
    origin = public_origin(request)
    return await get_database(request).read(
        lambda reader: read_history(reader, origin, qr, before, limit), Cost.MEDIUM, snapshot=True
    )
