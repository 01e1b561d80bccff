"""Claims are found by the key of their account number, so that another spelling is not another account.

On PostgreSQL, the index is built after the migrations (`claims/tables.py`, `core/indexes.py`).
"""

from alembic import op

revision: str = "0027"
down_revision: str | None = "0025"

# As `claims/same_account.py` writes it: SQLite uses an index only for the same expression.
AROUND = (
    "\t\n\r -\u00a0\u00ad\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d"
    "\u200e\u200f\u2010\u2011\u2012\u2013\u2014\u2015\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2066"
    "\u2067\u2068\u2069\u2212\u3000\ufeff\uff0d"
)
WITHIN = "\t -\u00a0\u2007\u2009\u200b\u2011\u2013\u202f\u3000\uff0d"
WIDE = {"EFBC9": "3", "EFBCA": "4", "EFBCB": "5", "EFBD8": "4", "EFBD9": "5"}


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    key = f"trim(account_no, '{AROUND}')"
    for character in WITHIN:
        key = f"replace({key}, '{character}', '')"
    key = f"hex(upper({key}))"
    for wide, narrow in WIDE.items():
        key = f"replace({key}, '{wide}', '{narrow}')"
    key = f"CASE WHEN account_no NOT GLOB '*[^0-9A-Z]*' THEN hex(account_no) ELSE {key} END"
    connection.exec_driver_sql(f"CREATE INDEX ix_claims_account_key ON claims ({key})")
