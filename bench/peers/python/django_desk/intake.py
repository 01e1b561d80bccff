import json
import secrets
import time
import zlib
from hashlib import sha256

from django.db import models, transaction
from django.http import HttpResponse
from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
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


class NumberedClaim(models.Model):
    """A claim with its number, which the database gives."""

    id = models.CharField(primary_key=True, max_length=24)
    number = models.BigIntegerField()
    user_id = models.CharField(max_length=24)
    purchase_id = models.CharField(max_length=24)
    amount_paise = models.BigIntegerField()
    account_no = models.CharField(max_length=40)
    ifsc = models.CharField(max_length=20)
    address = models.CharField(max_length=300)
    external_id = models.CharField(max_length=200)

    class Meta:
        managed = False
        db_table = "claims"


class Answer(models.Model):
    """What a call was answered, for its retries."""

    idempotency_key = models.CharField(primary_key=True, max_length=200)
    asked_hash = models.BinaryField()
    answer = models.BinaryField()
    created_at = models.DateTimeField()

    class Meta:
        managed = False
        db_table = "bench_answers"


class ClaimRow(serializers.Serializer):
    externalId = serializers.CharField(max_length=200)  # noqa: N815 - the API's spelling
    user = serializers.RegexField(ID)
    purchase = serializers.RegexField(ID)
    amount = serializers.DecimalField(max_digits=15, decimal_places=2, min_value=1)
    accountNo = serializers.RegexField(r"^[0-9]{9,18}$")  # noqa: N815 - the API's spelling
    ifsc = serializers.RegexField(r"^[A-Z]{4}0[A-Z0-9]{6}$")
    address = serializers.CharField(max_length=300)


def is_same(row, stored):
    return (
        stored.user_id == row["user"]
        and stored.purchase_id == row["purchase"]
        and stored.amount_paise == int(row["amount"] * 100)
        and stored.account_no == row["accountNo"]
        and stored.ifsc == row["ifsc"]
        and stored.address == row["address"]
    )


class ClaimIntake(APIView):
    """Up to a thousand claims in one transaction, in bulk; a known external id changes nothing, and a retry with the
    same idempotency key gets the stored answer."""

    def post(self, request):
        key = request.headers.get("Idempotency-Key")
        if not key:
            raise ValidationError({"Idempotency-Key": "is required"})
        asked_hash = sha256(request.body).digest()
        asked = ClaimRow(data=request.data, many=True, max_length=1000)
        asked.is_valid(raise_exception=True)
        with transaction.atomic():
            answered = Answer.objects.filter(pk=key).first()
            if answered is None:
                answer = json.dumps({"results": self.take_in(request, asked.validated_data)}).encode()
                kept = zlib.compress(answer, 1)
                Answer.objects.bulk_create(
                    [Answer(idempotency_key=key, asked_hash=asked_hash, answer=kept, created_at=timezone.now())]
                )
            elif bytes(answered.asked_hash) != asked_hash:
                raise ValidationError({"Idempotency-Key": "was used for another call"})
            else:
                answer = zlib.decompress(answered.answer)
        return HttpResponse(answer, content_type="application/json")

    def take_in(self, request, rows):
        sent = [row["externalId"] for row in rows]
        known = {stored.external_id: stored for stored in NumberedClaim.objects.filter(external_id__in=sent)}
        clients = set(User.objects.filter(pk__in={row["user"] for row in rows}).values_list("pk", flat=True))
        owners = dict(
            BoughtPurchase.objects.filter(pk__in={row["purchase"] for row in rows}).values_list("pk", "user_id")
        )
        now = timezone.now()
        new, entries, results = [], [], []
        for index, row in enumerate(rows):
            result = {"index": index, "outcome": "invalid", "_id": None, "externalId": row["externalId"]}
            results.append(result)
            if row["user"] not in clients or owners.get(row["purchase"]) != row["user"]:
                continue
            stored = known.get(row["externalId"])
            if stored is not None:
                result["outcome"] = "unchanged" if is_same(row, stored) else "conflict"
                result["_id"], result["number"] = stored.id, f"C-{stored.number}"
                continue
            claim_id = f"{int(time.time()):08x}{secrets.token_hex(8)}"
            result["outcome"], result["_id"] = "created", claim_id
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
            details = {"accountNo": row["accountNo"], "ifsc": row["ifsc"], "amount": float(row["amount"])}
            entries.append(
                AuditEntry(
                    at=now,
                    actor=request.user.username,
                    address=request.META["REMOTE_ADDR"],
                    verb="claim.added",
                    subject_id=claim_id,
                    after={"externalId": row["externalId"], **details},
                )
            )
        NewClaim.objects.bulk_create(new)
        AuditEntry.objects.bulk_create(entries)
        ids = [claim.id for claim in new]
        numbers = dict(NumberedClaim.objects.filter(pk__in=ids).values_list("pk", "number"))
        for result in results:
            if result["_id"] in numbers:
                result["number"] = f"C-{numbers[result['_id']]}"
        return results
