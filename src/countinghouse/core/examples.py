"""Examples in the OpenAPI description."""

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import ConfigDict, with_config

T = TypeVar("T")


def example(**fields: Any) -> Callable[[type[T]], type[T]]:
    """The example of a TypedDict."""
    return examples(fields)


def examples(*every: dict[str, Any]) -> Callable[[type[T]], type[T]]:
    return with_config(json_schema_extra={"examples": list(every)})


def example_of(described: Any) -> dict[str, Any]:
    fields: dict[str, Any] = described.__pydantic_config__["json_schema_extra"]["examples"][0]
    return fields


def body_config(*examples: dict[str, Any]) -> ConfigDict:
    """For a request body. A misspelt field is refused: if it were ignored, a bank reference could get lost."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": list(examples)})
