import os

from django.contrib import admin

from django_desk.models import Claim


@admin.register(Claim)
class ClaimAdmin(admin.ModelAdmin):
    list_display = (
        "created_at",
        "username",
        "mobile",
        "invest",
        "amount",
        "account_no",
        "ifsc",
        "address",
        "status",
    )
    list_select_related = ("user", "purchase")
    list_filter = ("status",)
    list_per_page = 50
    ordering = ("-created_at", "-id")
    search_fields = ("user__username", "user__mobile", "account_no", "ifsc")
    show_full_result_count = os.environ["DESK_COUNT"] == "full"

    @admin.display(ordering="user__username")
    def username(self, claim):
        return claim.user.username

    @admin.display(ordering="user__mobile")
    def mobile(self, claim):
        return claim.user.mobile

    @admin.display(ordering="purchase__invest_paise")
    def invest(self, claim):
        return claim.purchase.invest_paise / 100

    @admin.display(ordering="amount_paise")
    def amount(self, claim):
        return claim.amount_paise / 100
