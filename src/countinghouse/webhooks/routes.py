from typing import Annotated

from fastapi import Query, Request
from pydantic import with_config
from typing_extensions import TypedDict

from countinghouse.admins.dependencies import ActingAdmin, SignedIn, desk_router, needs
from countinghouse.core.http.answers import errors
from countinghouse.core.http.list_route import add_list_route
from countinghouse.core.http.requests import get_database, get_settings
from countinghouse.webhooks import actions, queries
from countinghouse.webhooks.actions import EndpointChange, NewEndpoint, ResendRequest
from countinghouse.webhooks.queries import (
    DELIVERIES,
    ENDPOINT_EXAMPLE,
    Delivery,
    DeliveryQuery,
    Endpoint,
)
from countinghouse.webhooks.resource import MANAGE, READ

router = desk_router("/api/webhooks", "webhooks", SignedIn(READ))

_REFUSED = errors(404, 409)

EndPrevious = Annotated[
    bool,
    Query(alias="endPrevious", description="Needed within a day of the last change: only the last two secrets sign."),
]


@with_config(
    json_schema_extra={
        "examples": [{"endpoint": ENDPOINT_EXAMPLE, "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAbCdEfGhIjk="}]
    }
)
class EndpointSecret(TypedDict):
    """The secret is in no other answer."""

    endpoint: Endpoint
    secret: str


@with_config(json_schema_extra={"examples": [{"resent": 12}]})
class Resent(TypedDict):
    resent: int


add_list_route(
    router,
    "/deliveries",
    DELIVERIES,
    DeliveryQuery,
    Delivery,
    name="list_deliveries",
    summary="What was sent or is waiting, newest first",
)


@router.get("", summary="The endpoints that get events")
async def list_webhooks(request: Request) -> list[Endpoint]:
    return await get_database(request).read(queries.list_endpoints)


@router.post("", status_code=201, summary="Add an endpoint", responses=errors(409), dependencies=needs(MANAGE))
async def add_webhook(asked: NewEndpoint, actor: ActingAdmin, request: Request) -> EndpointSecret:
    allowed = get_settings(request).webhook_private_targets
    endpoint, secret = await get_database(request).write(
        lambda transaction: actions.add_endpoint(transaction, actor, asked, allowed)
    )
    return {"endpoint": endpoint, "secret": secret}


@router.put(
    "/{endpoint_id}",
    summary="Change, enable or disable an endpoint",
    responses=_REFUSED,
    dependencies=needs(MANAGE),
)
async def change_webhook(endpoint_id: str, asked: EndpointChange, actor: ActingAdmin, request: Request) -> Endpoint:
    allowed = get_settings(request).webhook_private_targets
    return await get_database(request).write(
        lambda transaction: actions.change_endpoint(transaction, actor, endpoint_id, asked, allowed)
    )


@router.delete(
    "/{endpoint_id}",
    status_code=204,
    summary="Remove an endpoint",
    responses=errors(404),
    dependencies=needs(MANAGE),
)
async def remove_webhook(endpoint_id: str, actor: ActingAdmin, request: Request) -> None:
    await get_database(request).write(lambda transaction: actions.remove_endpoint(transaction, actor, endpoint_id))


@router.post(
    "/{endpoint_id}/secret",
    summary="Make a new secret; the old one signs as well for a day",
    responses=_REFUSED,
    dependencies=needs(MANAGE),
)
async def rotate_webhook_secret(
    endpoint_id: str, actor: ActingAdmin, request: Request, end_previous: EndPrevious = False
) -> EndpointSecret:
    endpoint, secret = await get_database(request).write(
        lambda transaction: actions.rotate_secret(transaction, actor, endpoint_id, end_previous=end_previous)
    )
    return {"endpoint": endpoint, "secret": secret}


@router.post(
    "/{endpoint_id}/test", status_code=202, summary="Send a test event", responses=_REFUSED, dependencies=needs(MANAGE)
)
async def test_webhook(endpoint_id: str, actor: ActingAdmin, request: Request) -> Delivery:
    return await get_database(request).write(lambda transaction: actions.send_test(transaction, actor, endpoint_id))


@router.post(
    "/{endpoint_id}/resend",
    status_code=202,
    summary="Send everything since a time again",
    responses=_REFUSED,
    dependencies=needs(MANAGE),
)
async def resend_all(endpoint_id: str, asked: ResendRequest, actor: ActingAdmin, request: Request) -> Resent:
    count = await get_database(request).write(
        lambda transaction: actions.resend_since(transaction, actor, endpoint_id, asked.since)
    )
    return {"resent": count}


@router.post(
    "/deliveries/{delivery_id}/resend",
    status_code=202,
    summary="Send one again",
    responses=_REFUSED,
    dependencies=needs(MANAGE),
)
async def resend_delivery(delivery_id: str, actor: ActingAdmin, request: Request) -> Delivery:
    return await get_database(request).write(lambda transaction: actions.resend_one(transaction, actor, delivery_id))
