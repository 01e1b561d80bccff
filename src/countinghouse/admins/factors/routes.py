"""Setting up second factors, and step-up."""

from typing import Annotated, Any, cast

from fastapi import Request
from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict

from countinghouse.admins.dependencies import Myself, SignedIn, desk_router
from countinghouse.admins.factors import codes, enrolling
from countinghouse.admins.factors.challenges import Purpose, Token, new_challenge, try_challenge
from countinghouse.admins.factors.confirming import (
    CodeStepUp,
    PasskeyStepUp,
    StepUpSubject,
    challenge_step_up,
    check_password,
    step_up,
)
from countinghouse.admins.factors.passkeys import (
    NEW_PASSKEY_EXAMPLE,
    NewPasskeyAnswer,
    creation_options,
    credential_text,
    rp_id_of,
    verified_registration,
)
from countinghouse.admins.factors.proofs import TypedCode, read_factors
from countinghouse.admins.factors.step_up import needs_step_up
from countinghouse.admins.passwords import LONGEST_PASSWORD
from countinghouse.admins.permissions import OWN
from countinghouse.core.db import Transaction
from countinghouse.core.errors import InvalidInput
from countinghouse.core.examples import Example, body_examples, described
from countinghouse.core.http.answers import errors
from countinghouse.core.http.requests import get_database, public_origin
from countinghouse.core.inputs import Body, PlainText
from countinghouse.core.lanes import Lane
from countinghouse.core.masking import Holds, Plain

# Works as well for an admin who still has to set up a second factor.
router = desk_router("/api/admin", "admins", SignedIn(OWN, while_enrolling=True))

Password = Annotated[str, Field(min_length=1, max_length=LONGEST_PASSWORD)]
_CHALLENGE = "kq2Zt9bWc0pXy7Lr4uVnKq2Zt9bWc0pXy7Lr4uVnKq2"


@described
class TotpSetup(TypedDict):
    """For the authenticator app: the secret to type, or the QR code to scan, as SVG."""

    secret: Annotated[Plain, Example("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")]
    link: Annotated[Plain, Example("otpauth://totp/Countinghouse:asha?secret=JBSWY3DPEHPK3PXP&issuer=Countinghouse")]
    qr: Annotated[Plain, Example('<svg xmlns="http://www.w3.org/2000/svg"></svg>')]


@described
class RecoveryCodes(TypedDict):
    """In this answer and nowhere else: only hashes are stored. Empty if the earlier codes still work."""

    recoveryCodes: Annotated[list[Plain], Example(["abcd-efgh-2345-6789"])]


@described
class ChallengeAnswer(TypedDict):
    challenge: Annotated[Plain, Example(_CHALLENGE)]


@described
class PasskeyOptions(TypedDict):
    """`options` is for `PublicKeyCredential.parseCreationOptionsFromJSON`."""

    challenge: Annotated[Plain, Example(_CHALLENGE)]
    options: Annotated[
        dict[str, Any], Holds.NOTHING, Example({"challenge": _CHALLENGE, "rp": {"id": "desk.example.in"}})
    ]


class WithPassword(Body):
    model_config = body_examples({"password": "a long sentence"})

    password: Password


class WithCode(Body):
    model_config = body_examples({"code": "492039"})

    code: TypedCode


class NewPasskey(Body):
    model_config = body_examples({"challenge": _CHALLENGE, "name": "My phone", "passkey": NEW_PASSKEY_EXAMPLE})

    challenge: Token
    name: Annotated[PlainText, Field(min_length=1, max_length=100)]
    passkey: NewPasskeyAnswer


async def _check_password(request: Request, who: Myself, password: str) -> None:
    async with cast(Lane, request.app.state.logins).turn():
        await check_password(get_database(request), who, password, "password")


@router.post(
    "/account/totp",
    summary="Begin to set up an authenticator app",
    responses=errors(409, 429),
    dependencies=needs_step_up("account.factors"),
)
async def start_totp(asked: WithPassword, who: Myself, request: Request) -> TotpSetup:
    await _check_password(request, who, asked.password)
    secret = await get_database(request).write(lambda transaction: enrolling.start_totp(transaction, who.admin))
    link = codes.app_link(secret, who.admin.username)
    return {"secret": secret, "link": link, "qr": codes.draw(link)}


@router.post(
    "/account/totp/confirm", summary="Enter the first code; your other sessions end", responses=errors(409, 429)
)
async def confirm_totp(asked: WithCode, who: Myself, request: Request) -> RecoveryCodes:
    return {"recoveryCodes": await enrolling.confirm_totp(get_database(request), who, asked.code)}


@router.delete(
    "/account/totp",
    status_code=204,
    summary="Remove the authenticator app; your other sessions end",
    responses=errors(404, 409),
    dependencies=needs_step_up("account.factors"),
)
async def remove_totp(who: Myself, request: Request) -> None:
    await get_database(request).write(lambda transaction: enrolling.remove_totp(transaction, who))


@router.post(
    "/account/recovery-codes",
    summary="Make new recovery codes; the old ones stop working",
    responses=errors(409),
    dependencies=needs_step_up("account.factors"),
)
async def make_recovery_codes(who: Myself, request: Request) -> RecoveryCodes:
    made = await get_database(request).write(lambda transaction: enrolling.make_recovery_codes(transaction, who))
    return {"recoveryCodes": made}


@router.post(
    "/account/passkeys/challenge",
    summary="Begin to add a passkey",
    responses=errors(409, 429),
    dependencies=needs_step_up("account.factors"),
)
async def start_passkey(asked: WithPassword, who: Myself, request: Request) -> PasskeyOptions:
    database, origin = get_database(request), public_origin(request)
    # Refuses an address where browsers allow no passkeys.
    rp_id_of(origin)
    await _check_password(request, who, asked.password)

    async def start(transaction: Transaction) -> tuple[str, list[str]]:
        known = (await read_factors(transaction, who.admin.id)).passkeys
        challenge = await new_challenge(transaction, Purpose.ENROLMENT, who.admin.id, who.session_hash)
        return challenge, [credential_text(row.credential_id) for row in known]

    challenge, known = await database.write(start)
    options = creation_options(challenge, origin, who.admin.id, who.admin.username, known)
    return {"challenge": challenge, "options": options}


@router.post(
    "/account/passkeys", status_code=201, summary="Add a passkey; your other sessions end", responses=errors(409)
)
async def add_passkey(asked: NewPasskey, who: Myself, request: Request) -> RecoveryCodes:
    database = get_database(request)
    challenge = await database.write(
        lambda transaction: try_challenge(transaction, Purpose.ENROLMENT, asked.challenge, who.session_hash)
    )
    if challenge is None:
        raise enrolling.challenge_ended()
    new = verified_registration(asked.passkey, asked.challenge, public_origin(request))
    if new is None:
        raise InvalidInput({"passkey": "This passkey was not accepted. Start again with this browser at this address."})
    made = await database.write(
        lambda transaction: enrolling.add_passkey(
            transaction,
            who,
            asked.challenge,
            asked.name,
            new.credential_id,
            new.credential_public_key,
            new.sign_count,
        )
    )
    return {"recoveryCodes": made}


@router.delete(
    "/account/passkeys/{passkey_id}",
    status_code=204,
    summary="Remove a passkey; your other sessions end",
    responses=errors(404, 409),
    dependencies=needs_step_up("account.factors"),
)
async def remove_passkey(passkey_id: str, who: Myself, request: Request) -> None:
    await get_database(request).write(lambda transaction: enrolling.remove_passkey(transaction, who, passkey_id))


def _chosen(body: Any) -> Any:
    is_passkey = isinstance(body, dict) and "passkey" in body
    return (PasskeyStepUp if is_passkey else CodeStepUp).model_validate(body)


StepUpAnswer = Annotated[CodeStepUp | PasskeyStepUp, BeforeValidator(_chosen)]


@router.post("/step-up/challenge", summary="Begin to confirm an action with a passkey")
async def start_step_up(asked: StepUpSubject, who: Myself, request: Request) -> ChallengeAnswer:
    return {"challenge": await challenge_step_up(get_database(request), who, asked)}


@router.post(
    "/step-up",
    status_code=204,
    summary="Confirm an action with a second factor; then send its request again within five minutes",
    responses=errors(409, 429),
)
async def confirm_action(asked: StepUpAnswer, who: Myself, request: Request) -> None:
    await step_up(get_database(request), who, asked, public_origin(request))
