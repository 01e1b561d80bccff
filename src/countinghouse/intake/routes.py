from typing import Annotated, Any, NotRequired, cast

from fastapi import Depends, Header, Path, Request, Response
from pydantic import JsonValue, TypeAdapter, with_config
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from countinghouse.core.errors import InvalidInput
from countinghouse.core.http.answers import described_error, errors
from countinghouse.core.http.checked_route import CheckedRoute
from countinghouse.core.http.requests import get_database
from countinghouse.core.http.routers import INVALID, Answers, open_router
from countinghouse.core.idempotency import checked_key
from countinghouse.core.lanes import Lane
from countinghouse.intake.actions import checked_rows, take_in
from countinghouse.intake.answers import Call
from countinghouse.intake.correcting import ClaimCorrection, Corrected, UserCorrection, correct_claim, correct_user
from countinghouse.intake.nouns import CLAIMS, NOUNS, PURCHASES, USERS, Noun
from countinghouse.intake.proving import Proved, prove_purchase
from countinghouse.intake.rows import ExternalId
from countinghouse.intake.storing import Outcome
from countinghouse.intake.withdrawing import Withdrawn, withdraw_claim
from countinghouse.keys.dependencies import CurrentKey, HasKey, KeyActor
from countinghouse.qr.picture import LARGEST_FILE_BYTES
from countinghouse.qr.picture_client import Pictures

PREFIX = "/api/intake"
# A thousand rows of ordinary size need a sixth of it.
BODY_BYTES = 2 * 1024 * 1024
BODY_LIMITS = {f"{PREFIX}/{noun.name}": BODY_BYTES for noun in NOUNS} | {
    f"{PREFIX}/purchases/*/proof": LARGEST_FILE_BYTES
}

_REFUSALS: Answers = {
    **INVALID,
    401: described_error("No API key, or it is unknown, expired or revoked"),
    403: described_error("The key lacks the scope, or is used from another network"),
    413: described_error("More than 1,000 rows"),
    429: described_error("Too many calls; see Retry-After"),
}
# Its routes need an API key: each names the scope.
router = open_router(PREFIX, "intake", responses=_REFUSALS, route_class=CheckedRoute)


_RESULT: dict[str, JsonValue] = {
    "index": 0,
    "outcome": "created",
    "_id": "6917e2f4a1b2c3d4e5000003",
    "number": "C-10482",
    "externalId": "c-1001",
}


@with_config(json_schema_extra={"examples": [_RESULT]})
class RowResult(TypedDict):
    index: int
    outcome: Outcome
    _id: str | None
    number: NotRequired[str]
    externalId: str | None
    fields: NotRequired[dict[str, str]]


@with_config(json_schema_extra={"examples": [{"results": [_RESULT]}]})
class IntakeAnswer(TypedDict):
    results: list[RowResult]


IdempotencyKey = Annotated[
    str | None,
    Header(alias="Idempotency-Key", description="Required. A retry with the same key and body gets the same answer."),
]
ExternalIdPath = Annotated[ExternalId, Path()]


def _add_intake_route(noun: Noun) -> None:
    async def receive(request: Request, key: CurrentKey, actor: KeyActor, name: IdempotencyKey = None) -> Response:
        if name is None:
            raise InvalidInput({"Idempotency-Key": "Send an Idempotency-Key header, a new one for every call."})
        idempotency_key = checked_key(name)
        body = await request.body()
        async with cast(Lane, request.app.state.intake).turn():
            rows = await run_in_threadpool(checked_rows, noun, body)
            call = Call.of(key.id, idempotency_key, noun.name, body)
            answer = await take_in(get_database(request), actor, noun, call, rows)
        return Response(answer, media_type="application/json")

    router.add_api_route(
        f"/{noun.name}",
        receive,
        methods=["POST"],
        name=f"take_in_{noun.name}",
        summary=f"Push up to 1,000 {noun.name}; each is stored once",
        response_model=IntakeAnswer,
        dependencies=[Depends(HasKey(noun.scope))],
        openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": _schema(noun)}}}},
    )


def _schema(noun: Noun) -> dict[str, Any]:
    row = TypeAdapter(noun.row).json_schema()
    return {"anyOf": [row, {"type": "array", "items": row, "maxItems": 1000}]}


for each in NOUNS:
    _add_intake_route(each)

_CHANGES: Answers = errors(404, 409)


@router.put(
    "/users/{external_id:path}",
    summary="Correct a user's name or mobile",
    dependencies=[Depends(HasKey(USERS.scope))],
    responses=_CHANGES,
)
async def put_user(external_id: ExternalIdPath, asked: UserCorrection, actor: KeyActor, request: Request) -> Corrected:
    return await get_database(request).change(lambda change: correct_user(change, actor, external_id, asked))


_PICTURE = {"schema": {"type": "string", "contentMediaType": "image/*"}}


@router.put(
    "/purchases/{external_id:path}/proof",
    summary="Send the payment proof of a purchase, a PNG, JPEG or WebP of at most 5 MB",
    description="It is re-encoded, shown to admins, and never replaced: another picture gets 409.",
    dependencies=[Depends(HasKey(PURCHASES.scope))],
    responses=_CHANGES,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": dict.fromkeys(("image/png", "image/jpeg", "image/webp"), _PICTURE),
        }
    },
)
async def put_proof(external_id: ExternalIdPath, actor: KeyActor, request: Request) -> Proved:
    pictures = cast(Pictures, request.app.state.pictures)
    return await prove_purchase(get_database(request), pictures, actor, external_id, await request.body())


@router.put(
    "/claims/{external_id:path}",
    summary="Correct the address or bank details of a pending claim",
    dependencies=[Depends(HasKey(CLAIMS.scope))],
    responses=_CHANGES,
)
async def put_claim(
    external_id: ExternalIdPath, asked: ClaimCorrection, actor: KeyActor, request: Request
) -> Corrected:
    return await get_database(request).change(lambda change: correct_claim(change, actor, external_id, asked))


@router.delete(
    "/claims/{external_id:path}",
    summary="Withdraw a pending claim: it becomes Rejected, with the reason “Withdrawn by client”",
    dependencies=[Depends(HasKey(CLAIMS.scope))],
    responses=_CHANGES,
)
async def delete_claim(external_id: ExternalIdPath, actor: KeyActor, request: Request) -> Withdrawn:
    return await get_database(request).change(lambda change: withdraw_claim(change, actor, external_id))
