from typing import Annotated

from fastapi import APIRouter, Path

from countinghouse.banks.queries import BankCode, BankData, read_code, read_data

router = APIRouter(prefix="/api/banks", tags=["banks"])


@router.get("", summary="Which list of bank codes the desk knows, and since when")
async def read_bank_data() -> BankData:
    return read_data()


@router.get("/{ifsc}", summary="Whose a bank code is, and what is odd about it")
async def read_bank_code(
    ifsc: Annotated[str, Path(max_length=40, description="In any case, with or without spaces.")],
) -> BankCode:
    return read_code(ifsc)
