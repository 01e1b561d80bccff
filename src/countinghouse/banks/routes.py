from typing import Annotated

from fastapi import Path

from countinghouse.admins.dependencies import SignedIn, desk_router
from countinghouse.admins.permissions import OWN
from countinghouse.banks.queries import BankCode, BankData, read_code, read_data

router = desk_router("/api/banks", "banks", SignedIn(OWN))


@router.get("", summary="The version of the bank code list, and when it was fetched")
async def read_bank_data() -> BankData:
    return read_data()


@router.get("/{ifsc}", summary="Look up a bank code, and what is unusual about it")
async def read_bank_code(
    ifsc: Annotated[str, Path(max_length=40, description="In upper or lower case, with or without spaces.")],
) -> BankCode:
    return read_code(ifsc)
