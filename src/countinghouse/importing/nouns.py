"""What can be imported: the fields of each noun, and the names that other services give to them."""

from dataclasses import dataclass
from typing import Literal

from countinghouse.claims import lifecycle
from countinghouse.claims.lifecycle import Status

NounName = Literal["users", "purchases", "claims", "qr"]
Kind = Literal["id", "text", "money", "moment", "reference", "status", "picture"]


@dataclass(frozen=True, slots=True)
class Field:
    """`names` are what others call it, in lower case and without `_`, `-` and spaces; the likeliest first."""

    name: str
    kind: Kind
    names: tuple[str, ...] = ()
    is_required: bool = True

    @property
    def known_names(self) -> tuple[str, ...]:
        """Its own name comes first: a source that uses it means this field."""
        return (simplified(self.name), *self.names)


_ID = Field("_id", "id", ("uuid", "sno", "srno"), is_required=False)
_EXTERNAL_ID = Field("externalId", "id", is_required=False)
_MADE = ("created", "createdon", "createddate", "datecreated", "creationdate", "timestamp", "date")
_USER = Field(
    "user",
    "reference",
    ("userid", "customer", "customerid", "client", "clientid", "member", "memberid", "uid", "owner", "ownerid"),
)
# If no field has the user's id, one with their mobile number may.
MOBILES = ("mobile", "mobileno", "mobilenumber", "phone", "phoneno", "phonenumber", "contact", "contactno")
USER_MOBILES = ("usermobile", "userphone", "customermobile", "customerphone", *MOBILES)


def _created_at(*more: str) -> Field:
    return Field("createdAt", "moment", (*_MADE, *more), is_required=False)


FIELDS: dict[NounName, tuple[Field, ...]] = {
    "users": (
        _ID,
        _EXTERNAL_ID,
        _created_at("registeredat", "registeredon", "joinedat", "joinedon", "registrationdate", "joiningdate"),
        Field("username", "text", ("name", "fullname", "displayname", "customername", "clientname")),
        Field("mobile", "text", MOBILES),
    ),
    "purchases": (
        _ID,
        _EXTERNAL_ID,
        _created_at("purchasedat", "purchasedate", "orderdate", "purchasedon", "investedat", "boughtat"),
        _USER,
        Field(
            "invest",
            "money",
            ("investamount", "investment", "investedamount", "principal", "amount", "price"),
        ),
        Field(
            "dailyIncome",
            "money",
            ("dailyreturn", "dailyprofit", "incomeperday", "dailyearning", "daily"),
        ),
        Field(
            "upiId",
            "text",
            ("transactionid", "transactionno", "txnid", "utr", "utrno", "utrnumber", "referenceno", "refno"),
        ),
        Field("claimType", "text", ("plantype", "plan", "planname", "product", "productname", "type")),
        Field("qrName", "text", ("qr", "qrcode", "qrcodename")),
    ),
    "claims": (
        _ID,
        _EXTERNAL_ID,
        _created_at("requestedat", "requestedon", "requestdate", "claimedat", "claimdate", "withdrawdate"),
        _USER,
        Field(
            "purchase",
            "reference",
            ("purchaseid", "order", "orderid", "investment", "investmentid", "invest", "investid"),
        ),
        Field("amount", "money", ("claimamount", "withdrawamount", "withdrawalamount", "payoutamount")),
        Field(
            "accountNo",
            "text",
            ("accountnumber", "bankaccountno", "bankaccountnumber", "bankaccount", "acno", "account"),
        ),
        Field("ifsc", "text", ("ifsccode", "bankifsc", "bankifsccode")),
        Field("address", "text", ("fulladdress", "bankaddress", "branchaddress")),
        Field("status", "status", ("claimstatus", "withdrawstatus", "withdrawalstatus", "state")),
        Field(
            "movedAt",
            "moment",
            ("paidat", "paidon", "processedat", "updatedat", "updatedon"),
            is_required=False,
        ),
        Field("reason", "text", ("rejectreason", "rejectionreason", "remark", "remarks"), is_required=False),
        Field(
            "reference", "text", ("payoutreference", "bankreference", "payoututr", "utr", "utrno"), is_required=False
        ),
    ),
    "qr": (
        _ID,
        _created_at("uploadedat", "uploadedon"),
        Field("name", "text", ("qrname", "title", "label")),
        Field("upiId", "text", ("upi", "vpa", "upiaddress")),
        Field(
            "picture",
            "picture",
            ("qrimage", "image", "imageurl", "photo", "file", "filename", "path", "url"),
        ),
    ),
}

# In the order of the import: a row comes after what it refers to.
ORDER: tuple[NounName, ...] = ("users", "purchases", "claims", "qr")

COLLECTIONS: dict[NounName, tuple[str, ...]] = {
    "users": ("user", "customer", "client", "member", "registereduser", "registration", "register", "appuser"),
    "purchases": ("purchase", "order", "investment", "invest", "deposit", "clientdata", "userplan", "subscription"),
    "claims": ("claim", "withdrawal", "withdraw", "payout", "claimrequest", "withdrawrequest", "withdrawalrequest"),
    "qr": ("qr", "qrcode", "paymentqr", "paymentcode", "upiqr", "qrimage"),
}

# Only names that cannot mean another status: a claim that was paid elsewhere must not be paid again here.
STATUSES: dict[str, Status] = {
    "pending": "Pending",
    "new": "Pending",
    "requested": "Pending",
    "submitted": "Pending",
    "accepted": "Accepted",
    "approved": "Accepted",
    "paid": "Paid",
    "paidsuccess": "Paid",
    "paidsuccessfully": "Paid",
    "onhold": "On hold",
    "hold": "On hold",
    "held": "On hold",
    "rejected": "Rejected",
    "declined": "Rejected",
    "denied": "Rejected",
    "cancelled": "Rejected",
    "canceled": "Rejected",
    "returned": "Returned",
}

# Nobody at this desk accepted such a claim: the admin who imports it on the screen could pay it alone.
REFUSED_ON_SCREEN: tuple[Status, ...] = ("Accepted",)
TAKEN_ON_SCREEN = tuple(status for status in lifecycle.STATUSES if status not in REFUSED_ON_SCREEN)


def simplified(name: str) -> str:
    """createdAt, created_at and Created At are the same name."""
    return "".join(character for character in name.casefold() if character.isalnum())
