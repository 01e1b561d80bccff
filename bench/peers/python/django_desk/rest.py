import secrets
import time

from django.db import transaction
from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.filters import SearchFilter
from rest_framework.generics import ListAPIView
from rest_framework.pagination import CursorPagination
from rest_framework.response import Response
from rest_framework.views import APIView

from django_desk.models import AuditEntry, Claim, Purchase, Transition, User

MOVES = {"Pending": ("Accepted",), "Accepted": ("Paid",), "Paid": ()}
SOURCE = {"Accepted": "Pending", "Paid": "Accepted"}

# The models hold no column that the answer does not need, so there is nothing to defer.
CLAIMS = Claim.objects.select_related("user", "purchase").order_by("-created_at", "-id")


class RupeesField(serializers.Field):
    def to_representation(self, paise):
        return paise / 100


class UserSerializer(serializers.ModelSerializer):
    class Meta:
        model = User
        fields = ("username", "mobile")


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
            if not Claim.objects.filter(pk=claim_id, status=source).update(status=target):
                return Response({"code": "claim_cannot_move"}, status.HTTP_409_CONFLICT)
            now = timezone.now()
            Transition.objects.create(
                id=f"{int(time.time()):08x}{secrets.token_hex(8)}",
                claim_id=claim_id,
                from_status=source,
                to_status=target,
                moved_by=request.user.username,
                moved_at=now,
            )
            AuditEntry.objects.create(
                at=now,
                actor=request.user.username,
                address=request.META["REMOTE_ADDR"],
                verb="claim.moved",
                subject_id=claim_id,
                before={"status": source},
                after={"status": target},
            )
            claim = CLAIMS.get(pk=claim_id)
        return Response(ClaimSerializer(claim).data)
