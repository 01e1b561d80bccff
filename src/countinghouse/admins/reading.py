"""Reading a whole list: whoever takes all data away at once is seen, and confirms it like an export."""

from starlette.requests import Request

from countinghouse.admins.dependencies import acting_admin
from countinghouse.admins.factors.step_up import StepUp
from countinghouse.audit.actions import Actor, record
from countinghouse.core.http.requests import get_database, hides_numbers
from countinghouse.core.listing import Listing
from countinghouse.core.resource import Verb


class ListVerb(Verb):
    READ = "list.read", "Read a whole list"


# Not among the dependencies of the routes: only a list that is read as a whole needs it.
_STEP_UP = StepUp("exports.numbers", always=False)


async def before_whole_list(request: Request, listing: Listing) -> None:
    """A key leaves its actor in the request, a peer without a token too."""
    if listing.has_numbers and not hides_numbers(request):
        await _STEP_UP.demand(request)
    known = (getattr(request.state, attribute, None) for attribute in ("key_actor", "peer"))
    actor: Actor = next((actor for actor in known if actor is not None), None) or await acting_admin(request)
    after = {"query": request.url.query} if request.url.query else None
    await get_database(request).write(
        lambda transaction: record(transaction, actor, ListVerb.READ, listing.table.name, after=after)
    )
