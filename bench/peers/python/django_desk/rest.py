import secrets
import time

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.filters import SearchFilter
from rest_framework.generics import ListAPIView
from rest_framework.pagination import CursorPagination
from rest_framework.response import Response
from rest_framework.views import APIView

from django_desk.models import AuditEntry, Claim, Purchase, Transition, User


def move(to, label, *, needs_reason=False, tone="neutral"):
    return {"to": to, "label": label, "needsReason": needs_reason, "tone": tone}


ACCEPT = move("Accepted", "Accept")
HOLD = move("On hold", "Put on hold", needs_reason=True)
REJECT = move("Rejected", "Reject", needs_reason=True)
MOVES = {
    "Pending": (ACCEPT, HOLD, REJECT),
    "Accepted": (move("Paid", "Paid Success", tone="primary"), move("Pending", "Undo Accept"), HOLD, REJECT),
    "Paid": (move("Returned", "Returned", needs_reason=True),),
    "On hold": (move("Pending", "Release", needs_reason=True), REJECT),
    "Rejected": (move("Pending", "Undo Reject"),),
    "Returned": (ACCEPT, HOLD, REJECT),
}
SOURCE = {"Accepted": "Pending", "Paid": "Accepted"}

# The models have no column that the answer does not need, except the one that a move writes.
CLAIMS = Claim.objects.select_related("user", "purchase").defer("moved_at").order_by("-created_at", "-id")


class RupeesField(serializers.Field):
    def to_representation(self, paise):
        return paise / 100


class UserSerializer(serializers.ModelSerializer):
    _id = serializers.CharField(source="id")

    class Meta:
        model = User
        fields = ("_id", "username", "mobile")


class PurchaseSerializer(serializers.ModelSerializer):
    invest = RupeesField(source="invest_paise", read_only=True)

    class Meta:
        model = Purchase
        fields = ("invest",)


class ClaimSerializer(serializers.ModelSerializer):
    _id = serializers.CharField(source="id")
    createdAt = serializers.DateTimeField(source="created_at")  # noqa: N815 - the API's spelling
    user = UserSerializer()
    purchase = PurchaseSerializer()
    amount = RupeesField(source="amount_paise", read_only=True)
    accountNo = serializers.CharField(source="account_no")  # noqa: N815 - the API's spelling
    moves = serializers.SerializerMethodField()

    class Meta:
        model = Claim
        fields = (
            "_id",
            "createdAt",
            "user",
            "purchase",
            "amount",
            "accountNo",
            "ifsc",
            "address",
            "status",
            "version",
            "moves",
        )

    def get_moves(self, claim):
        return MOVES[claim.status]


class Newest(CursorPagination):
    page_size = 50
    ordering = ("-created_at", "-id")


class ClaimPages(ListAPIView):
    serializer_class = ClaimSerializer
    pagination_class = Newest
    filter_backends = (SearchFilter,)
    search_fields = ("user__username", "user__mobile", "account_no", "ifsc")

    def get_queryset(self):
        chosen = self.request.query_params.get("status")
        return CLAIMS.filter(status=chosen) if chosen else CLAIMS.all()


class WholeList(ListAPIView):
    serializer_class = ClaimSerializer
    queryset = CLAIMS


class StatusChange(serializers.Serializer):
    status = serializers.ChoiceField(choices=["Accepted", "Paid"])


class ClaimStatus(APIView):
    def put(self, request, claim_id):
        asked = StatusChange(data=request.data)
        asked.is_valid(raise_exception=True)
        target = asked.validated_data["status"]
        source = SOURCE[target]
        with transaction.atomic():
            now = timezone.now()
            waiting = Claim.objects.filter(pk=claim_id, status=source)
            if not waiting.update(status=target, version=F("version") + 1, moved_at=now):
                return Response({"code": "claim_cannot_move"}, status.HTTP_409_CONFLICT)
            claim = CLAIMS.get(pk=claim_id)
            Transition.objects.create(
                id=f"{int(time.time()):08x}{secrets.token_hex(8)}",
                claim_id=claim_id,
                from_status=source,
                to_status=target,
                moved_by=request.user.username,
                moved_at=now,
                number=claim.version,
            )
            AuditEntry.objects.create(
                at=now,
                actor=request.user.username,
                address=request.META["REMOTE_ADDR"],
                verb="claim.moved",
                subject_id=claim_id,
                before={"status": source, "version": claim.version - 1},
                after={"status": target, "version": claim.version},
            )
        return Response(ClaimSerializer(claim).data)
