"""The route class of every route that can read a body or has an id in its address: JSON is read strictly, and not as
FastAPI would read it, and an id that the database would refuse finds nothing."""

from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from typing import Any, get_args

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from countinghouse.core.errors import Refusal
from countinghouse.core.http.bodies import SHORT_BODY_BYTES
from countinghouse.core.lanes import Lane, halting_turn
from countinghouse.core.strict_json import read_json
from countinghouse.core.structure import Structure, structure_of


class _StrictRequest(Request):
    """The same request. What was read of its body is kept by the original."""

    def __init__(self, original: Request, route: "JsonRoute") -> None:
        super().__init__(original.scope, original.receive)
        self._original = original
        self._route = route

    def stream(self) -> AsyncGenerator[bytes, None]:
        return self._original.stream()

    async def body(self) -> bytes:
        return await self._original.body()

    async def json(self) -> Any:
        body = await self.body()
        self._route.check_body(body)
        lane = self._route.lane_of(self, body)
        if lane is None:
            return read_json(body, self._route.structure)
        async with halting_turn(lane):
            return read_json(body, self._route.structure)


def body_models(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models that a body of this type consists of."""
    for part in get_args(annotation):
        yield from body_models(part)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        for field in annotation.model_fields.values():
            yield from body_models(field.annotation)


def _refuse_careless(annotation: Any) -> None:
    """A model that must accept unknown fields says so: `extra="ignore"`, and why."""
    for model in body_models(annotation):
        if "extra" not in model.model_config:
            raise TypeError(f"{model.__name__} would ignore unknown fields. Derive it from core.inputs.Body.")


class JsonRoute(APIRoute):
    # Of a body that is decoded. Set only if there is one.
    structure: Structure

    def check_body(self, body: bytes) -> None:
        """Called before the body is decoded. It may raise a refusal."""

    def lane_of(self, request: Request, body: bytes, /) -> Lane | None:
        """A lane of one place: between any two of its bodies, everything else gets its turn."""
        lane: Lane | None = request.app.state.long_bodies if len(body) > SHORT_BODY_BYTES else None
        return lane

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = self._get_handler_without_nul()
        if self.body_field is None:
            return handle
        _refuse_careless(self.body_field.field_info.annotation)
        self.structure = structure_of(self.body_field.field_info.annotation).with_spare()

        async def read_and_handle(request: Request) -> Response:
            try:
                return await handle(_StrictRequest(request, self))
            except HTTPException as error:
                # FastAPI makes a 400 of whatever is raised while it reads a body.
                if isinstance(error.__cause__, Refusal):
                    raise error.__cause__ from None
                raise

        return read_and_handle

    def _get_handler_without_nul(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        # Others are checked by their type.
        ids = [param.name for param in self.dependant.path_params if not param.field_info.metadata]
        if not ids:
            return handle

        async def handle_without_nul(request: Request) -> Response:
            # No id has a NUL, and PostgreSQL refuses to compare a text with it. Without it, no row is found, and the
            # route says so in its own words.
            for name in ids:
                request.path_params[name] = request.path_params[name].replace("\0", "\ufffd")
            return await handle(request)

        return handle_without_nul
