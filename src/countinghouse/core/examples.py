"""Examples in the OpenAPI description. A field declares its own: `count: Annotated[int, Example(2)]`."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, NotRequired, TypeVar, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, with_config

T = TypeVar("T")


class Example(NamedTuple):
    value: Any


def described(answer: type[T]) -> type[T]:
    """Gives a TypedDict the example that its fields declare. A field of another such type needs none of its own."""
    fields = get_type_hints(answer, include_extras=True)
    return examples({name: _example_of_field(field) for name, field in fields.items()})(answer)


def examples(*every: dict[str, Any]) -> Callable[[type[T]], type[T]]:
    return with_config(json_schema_extra={"examples": list(every)})


def example_of(described: Any) -> Any:
    return described.__pydantic_config__["json_schema_extra"]["examples"][0]


def _example_of_field(field: Any) -> Any:
    if get_origin(field) is NotRequired:
        return _example_of_field(get_args(field)[0])
    if get_origin(field) is Annotated:
        return next(part.value for part in get_args(field) if isinstance(part, Example))
    return [example_of(get_args(field)[0])] if get_origin(field) is list else example_of(field)


def body_examples(*examples: dict[str, Any]) -> ConfigDict:
    """The `model_config` of a `Body`."""
    return ConfigDict(json_schema_extra={"examples": list(examples)})
