"""Our tables as our migrations created them."""

from django.db import models


class Admin(models.Model):
    id = models.CharField(primary_key=True, max_length=24)
    username = models.CharField(max_length=100)
    disabled_at = models.DateTimeField(null=True)
    is_authenticated = True

    class Meta:
        managed = False
        db_table = "admins"


class Session(models.Model):
    token_hash = models.BinaryField(primary_key=True, max_length=32)
    admin = models.ForeignKey(Admin, models.DO_NOTHING)
    last_seen_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        managed = False
        db_table = "sessions"


STATUSES = ("Pending", "Accepted", "Paid", "On hold", "Rejected", "Returned")


class User(models.Model):
    id = models.CharField(primary_key=True, max_length=24)
    username = models.CharField(max_length=100)
    mobile = models.CharField(max_length=20)

    class Meta:
        managed = False
        db_table = "users"


class Purchase(models.Model):
    id = models.CharField(primary_key=True, max_length=24)
    invest_paise = models.BigIntegerField()

    class Meta:
        managed = False
        db_table = "purchases"


class Claim(models.Model):
    id = models.CharField(primary_key=True, max_length=24)
    created_at = models.DateTimeField()
    user = models.ForeignKey(User, models.DO_NOTHING)
    purchase = models.ForeignKey(Purchase, models.DO_NOTHING)
    amount_paise = models.BigIntegerField()
    account_no = models.CharField(max_length=40)
    ifsc = models.CharField(max_length=20)
    address = models.CharField(max_length=300)
    status = models.CharField(max_length=20, choices=[(name, name) for name in STATUSES])
    version = models.IntegerField()
    moved_at = models.DateTimeField(null=True)

    class Meta:
        managed = False
        db_table = "claims"


class Transition(models.Model):
    id = models.CharField(primary_key=True, max_length=24)
    claim = models.ForeignKey(Claim, models.DO_NOTHING)
    from_status = models.CharField(max_length=20)
    to_status = models.CharField(max_length=20)
    moved_by = models.CharField(max_length=200)
    moved_at = models.DateTimeField()
    number = models.IntegerField()

    class Meta:
        managed = False
        db_table = "claim_transitions"


class AuditEntry(models.Model):
    seq = models.BigAutoField(primary_key=True)
    at = models.DateTimeField()
    actor = models.CharField(max_length=200)
    address = models.CharField(max_length=45, null=True)
    verb = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=64)
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)

    class Meta:
        managed = False
        db_table = "audit_log"
