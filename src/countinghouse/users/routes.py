from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from countinghouse.core.http.lists import stream_list
from countinghouse.core.http.requests import get_database
from countinghouse.users.queries import User, select_users, to_user

router = APIRouter(prefix="/api/users", tags=["users"])


@router.get("", summary="All registered users, newest first", response_model=list[User])
def list_users(request: Request) -> StreamingResponse:
    return stream_list(get_database(request), select_users(), to_user)
