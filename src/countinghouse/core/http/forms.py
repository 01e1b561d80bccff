"""Forms with files: like JSON, they are read strictly, and not as Starlette would read them."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

from fastapi import HTTPException, Request
from starlette.datastructures import FormData
from starlette.formparsers import MultiPartException, MultiPartParser

from countinghouse.core.errors import InvalidInput
from countinghouse.core.http.names import check_names
from countinghouse.core.lanes import Lane, halting_turn

# More than any form has, so that a field or file too many is refused by its name.
_MOST_PARTS = 10


class _StrictParser(MultiPartParser):
    def on_part_end(self) -> None:
        part = self._current_part
        if part.file is None:
            # Starlette reads other text as Latin-1.
            try:
                part.data.decode()
            except UnicodeDecodeError as error:
                raise InvalidInput({part.field_name: f"{part.field_name} is not in UTF-8."}) from error
        super().on_part_end()


@asynccontextmanager
async def read_form(
    request: Request, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> AsyncIterator[FormData]:
    lane: Lane = request.app.state.long_bodies
    async with halting_turn(lane):
        form = await _parse(request)
    try:
        check_names(form, {*required, *optional})
        absent = [name for name in required if name not in form]
        if absent:
            raise InvalidInput({name: f"{name} is required." for name in absent})
        yield form
    finally:
        await form.close()


async def _parse(request: Request) -> FormData:
    if request.headers.get("Content-Type", "").partition(";")[0].strip().lower() != "multipart/form-data":
        # It can hold no file: the refusal says which of its fields is missing.
        return await request.form(max_fields=_MOST_PARTS)
    try:
        async with aclosing(request.stream()) as stream:
            parser = _StrictParser(request.headers, stream, max_files=_MOST_PARTS, max_fields=_MOST_PARTS)
            return await parser.parse()
    except (MultiPartException, UnicodeError, LookupError) as error:
        raise HTTPException(400) from error
