"""What the rest of the desk knows of complaints."""

from countinghouse.complaints.queries import COMPLAINTS, ComplaintQuery

from countinghouse.admins.permissions import Role, permission
from countinghouse.core.resource import CREATED_AT, Column, ListedRows, Resource, Verb


class ComplaintVerb(Verb):
    ANSWERED = "complaint.answered", "Answered a complaint"


READ = permission("complaints.read", everybody=True)
ANSWER = permission("complaints.answer", Role.REVIEWER)

RESOURCE = Resource(
    "complaints",
    "/complaints",
    ListedRows(COMPLAINTS, ComplaintQuery, (CREATED_AT, Column("Subject", "subject"), Column("Channel", "channel"))),
    has_views=True,
    live_verbs=ComplaintVerb,
)
