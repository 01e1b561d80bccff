from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from countinghouse.admins.doors import AnyActor, MaybeActor
from countinghouse.core.http.answers import ErrorAnswer
from countinghouse.core.http.origins import public_origin
from countinghouse.core.http.requests import get_database
from countinghouse.qr.actions import delete_qr, set_qr_status, upload_qr
from countinghouse.qr.images import LARGEST_FILE_BYTES, read_picture
from countinghouse.qr.queries import IMAGE_PATH, QrCode, QrStatus, get_picture, select_qr_codes, to_qr_code
from countinghouse.qr.uploads import UPLOAD_FORM, ReadUpload

UPLOAD_PATH = "/api/qr/upload"
# The file, and room for the two fields and the envelope around them.
UPLOAD_BYTES = LARGEST_FILE_BYTES + 64 * 1024

# Open without a token: what a paying customer may see anyway.
open_router = APIRouter(tags=["qr"])
router = APIRouter(prefix="/api/qr", tags=["qr"])


class QrStatusChange(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "display"}]})

    status: QrStatus


class Deleted(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"message": "The QR code is deleted."}]})

    message: str


@open_router.get("/api/qr", summary="QR codes, newest first; without a token only those on display")
def list_qr_codes(request: Request, actor: MaybeActor) -> list[QrCode]:
    origin = public_origin(request)
    codes = select_qr_codes(only_displayed=actor is None)
    with get_database(request).reading() as connection:
        return [to_qr_code(row, origin) for row in connection.execute(codes)]


@open_router.get(f"{IMAGE_PATH}/{{key}}.png", include_in_schema=False)
def show_qr_image(key: str, request: Request) -> Response:
    with get_database(request).reading() as connection:
        picture = get_picture(connection, key)
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable",
        # A customer's app on another site shows it with a plain <img>.
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return Response(picture, media_type="image/png", headers=headers)


@router.post("/upload", summary="Upload a QR code; it stays hidden until displayed", openapi_extra=UPLOAD_FORM)
def upload_qr_code(request: Request, actor: AnyActor, upload: ReadUpload) -> QrCode:
    picture = read_picture(upload.image)
    # Opened only now: reading a picture takes a while, and nobody should wait for the write lock meanwhile.
    with get_database(request).writing() as connection:
        stored = upload_qr(connection, actor, upload.new, picture)
    return to_qr_code(stored, public_origin(request))


@router.patch("/status/{qr_id}", summary="Display or hide a QR code", responses={404: {"model": ErrorAnswer}})
def change_qr_status(qr_id: str, asked: QrStatusChange, actor: AnyActor, request: Request) -> QrCode:
    with get_database(request).writing() as connection:
        changed = set_qr_status(connection, actor, qr_id, asked.status)
    return to_qr_code(changed, public_origin(request))


@router.delete("/{qr_id}", summary="Delete a QR code", responses={404: {"model": ErrorAnswer}})
def delete_qr_code(qr_id: str, actor: AnyActor, request: Request) -> Deleted:
    with get_database(request).writing() as connection:
        delete_qr(connection, actor, qr_id)
    return Deleted(message="The QR code is deleted.")
