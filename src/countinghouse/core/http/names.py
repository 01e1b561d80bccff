"""The names of query and form fields. Like those of a JSON body, each must be known and sent once: if one were ignored,
what it says would be lost."""

from collections import Counter
from collections.abc import Set
from itertools import islice

from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Cookie, Header, Path
from fastapi.routing import APIRoute
from starlette.datastructures import FormData, QueryParams

from countinghouse.core.errors import InvalidInput

# How many wrong names an answer names.
MOST_NAMED = 20


def names_in_query(route: APIRoute) -> frozenset[str]:
    """The query fields that a route declares, one by one or as a model."""
    fields = get_flat_params(route.dependant)
    return frozenset(field.alias for field in fields if not isinstance(field.field_info, Path | Header | Cookie))


def check_names(sent: QueryParams | FormData, known: Set[str] | None = None) -> None:
    """Without `known`, only that each name is sent once."""
    counts = Counter(name for name, _ in sent.multi_items())
    problems = {
        name: f"{name} is sent twice." if known is None or name in known else f"{name} is not known here."
        for name, count in counts.items()
        if count > 1 or (known is not None and name not in known)
    }
    if problems:
        raise InvalidInput(dict(islice(problems.items(), MOST_NAMED)))
