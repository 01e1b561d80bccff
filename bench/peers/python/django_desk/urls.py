from django.conf import settings
from django.urls import path

if settings.IS_ADMIN:
    from django.contrib import admin

    import django_desk.changelist  # noqa: F401 - registers the claims

    urlpatterns = [path("admin/", admin.site.urls)]
else:
    from django_desk import intake, rest

    urlpatterns = [
        path("claims", rest.ClaimPages.as_view()),
        path("claims/intake", intake.ClaimIntake.as_view()),
        path("claims/whole", rest.WholeList.as_view()),
        path("claims/<str:claim_id>/status", rest.ClaimStatus.as_view()),
    ]
