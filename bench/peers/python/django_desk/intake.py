import secrets
import time

from django.db import models, transaction
from django.utils import timezone
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from django_desk.models import AuditEntry, User

ID = r"^[0-9a-f]{24}$"


class BoughtPurchase(models.Model):
    """A purchase, with the column that the intake compares."""

    id = models.CharField(primary_key=True, max_length=24)
    user_id = models.CharField(max_length=24)

    class Meta:
        managed = False
        db_table = "purchases"


class NewClaim(models.Model):
    """A claim, with the columns that the intake writes."""

    id = models.CharField(primary_key=True, max_length=24)
    created_at = models.DateTimeField()
    user_id = models.CharField(max_length=24)
    purchase_id = models.CharField(max_length=24)
    amount_paise = models.BigIntegerField()
    account_no = models.CharField(max_length=40)
    ifsc = models.CharField(max_length=20)
    address = models.CharField(max_length=300)
    status = models.CharField(max_length=20)
    external_id = models.CharField(max_length=200)

    class Meta:
        managed = False
        db_table = "claims"


class ClaimRow(serializers.Serializer):
    externalId = serializers.CharField(max_length=200)  # noqa: N815 - the API's spelling
    user = serializers.RegexField(ID)
    purchase = serializers.RegexField(ID)
    amount = serializers.DecimalField(max_digits=15, decimal_places=2, min_value=1)
    accountNo = serializers.RegexField(r"^[0-9]{9,18}$")  # noqa: N815 - the API's spelling
    ifsc = serializers.RegexField(r"^[A-Z]{4}0[A-Z0-9]{6}$")
    address = serializers.CharField(max_length=300)


class ClaimIntake(APIView):
    """Up to a thousand claims in one transaction, in bulk; a known external id changes nothing."""

    def post(self, request):
        asked = ClaimRow(data=request.data, many=True, max_length=1000)
        asked.is_valid(raise_exception=True)
        rows = asked.validated_data
        with transaction.atomic():
            known = set(
                NewClaim.objects.filter(external_id__in=[row["externalId"] for row in rows]).values_list(
                    "external_id", flat=True
                )
            )
            clients = set(User.objects.filter(pk__in={row["user"] for row in rows}).values_list("pk", flat=True))
            owners = dict(
                BoughtPurchase.objects.filter(pk__in={row["purchase"] for row in rows}).values_list("pk", "user_id")
            )
            now = timezone.now()
            new, entries, results = [], [], []
            for index, row in enumerate(rows):
                outcome, claim_id = "unchanged", None
                if row["user"] not in clients or owners.get(row["purchase"]) != row["user"]:
                    outcome = "invalid"
                elif row["externalId"] not in known:
                    outcome, claim_id = "created", f"{int(time.time()):08x}{secrets.token_hex(8)}"
                    new.append(
                        NewClaim(
                            id=claim_id,
                            created_at=now,
                            user_id=row["user"],
                            purchase_id=row["purchase"],
                            amount_paise=int(row["amount"] * 100),
                            account_no=row["accountNo"],
                            ifsc=row["ifsc"],
                            address=row["address"],
                            status="Pending",
                            external_id=row["externalId"],
                        )
                    )
                    entries.append(
                        AuditEntry(
                            at=now,
                            actor=request.user.username,
                            address=request.META["REMOTE_ADDR"],
                            verb="claim.added",
                            subject_id=claim_id,
                            after={"externalId": row["externalId"]},
                        )
                    )
                results.append({"index": index, "outcome": outcome, "_id": claim_id, "externalId": row["externalId"]})
            NewClaim.objects.bulk_create(new)
            AuditEntry.objects.bulk_create(entries)
        return Response({"results": results})
