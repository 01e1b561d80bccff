"""starlette-admin over SQLAlchemy's asynchronous engine, as its documentation sets it up."""

import os
from datetime import UTC, datetime
from hashlib import sha256

from sqlalchemy import BigInteger, DateTime, ForeignKey, LargeBinary, String, or_, select
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from starlette.applications import Starlette
from starlette_admin.auth import AdminUser, AuthProvider
from starlette_admin.contrib.sqla import Admin, ModelView

Moment = DateTime(timezone=True)
engine = create_async_engine(os.environ["DESK_DATABASE_URL"].replace("postgresql://", "postgresql+asyncpg://"))
new_session = async_sessionmaker(engine, expire_on_commit=False)


class Base(DeclarativeBase):
    pass


class DeskAdmin(Base):
    __tablename__ = "admins"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    username: Mapped[str] = mapped_column(String(100))
    disabled_at: Mapped[datetime | None] = mapped_column(Moment)


class DeskSession(Base):
    __tablename__ = "sessions"
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    admin_id: Mapped[str] = mapped_column(ForeignKey("admins.id"))
    expires_at: Mapped[datetime] = mapped_column(Moment)
    ended_at: Mapped[datetime | None] = mapped_column(Moment)


class User(Base):
    __tablename__ = "users"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    username: Mapped[str] = mapped_column(String(100))
    mobile: Mapped[str] = mapped_column(String(20))

    def __admin_repr__(self, request):
        return f"{self.username} {self.mobile}"


class Purchase(Base):
    __tablename__ = "purchases"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    invest_paise: Mapped[int] = mapped_column(BigInteger)

    def __admin_repr__(self, request):
        return str(self.invest_paise / 100)


class Claim(Base):
    __tablename__ = "claims"
    id: Mapped[str] = mapped_column(String(24), primary_key=True)
    created_at: Mapped[datetime] = mapped_column(Moment)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id"))
    purchase_id: Mapped[str] = mapped_column(ForeignKey("purchases.id"))
    amount_paise: Mapped[int] = mapped_column(BigInteger)
    account_no: Mapped[str] = mapped_column(String(40))
    ifsc: Mapped[str] = mapped_column(String(20))
    address: Mapped[str] = mapped_column(String(300))
    status: Mapped[str] = mapped_column(String(20))
    user: Mapped[User] = relationship()
    purchase: Mapped[Purchase] = relationship()


class UserView(ModelView):
    fields = ("id", "username", "mobile")


class PurchaseView(ModelView):
    fields = ("id", "invest_paise")


class ClaimView(ModelView):
    fields = (
        "id",
        "created_at",
        "user",
        "purchase",
        "amount_paise",
        "account_no",
        "ifsc",
        "address",
        "status",
    )
    searchable_fields = ("account_no", "ifsc", "status")
    fields_default_sort = (("created_at", True), ("id", True))
    page_size = 50

    def get_search_query(self, request, term):
        return or_(
            Claim.user.has(or_(User.username.icontains(term), User.mobile.icontains(term))),
            Claim.account_no.icontains(term),
            Claim.ifsc.icontains(term),
        )


class DeskSessions(AuthProvider):
    async def authenticate(self, request):
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        found = (
            select(DeskAdmin.username, DeskSession.expires_at)
            .join_from(DeskSession, DeskAdmin)
            .where(
                DeskSession.token_hash == sha256(token.encode()).digest(),
                DeskSession.ended_at.is_(None),
                DeskAdmin.disabled_at.is_(None),
            )
        )
        async with new_session() as session:
            row = (await session.execute(found)).first()
        return AdminUser(row.username) if row and row.expires_at > datetime.now(UTC) else None


app = Starlette()
admin = Admin(new_session, auth_provider=DeskSessions(), secret_key=os.environ["DESK_SECRET"])
admin.add_view(ClaimView(Claim))
admin.add_view(UserView(User))
admin.add_view(PurchaseView(Purchase))
admin.mount_to(app)
