"""How Alembic reaches the database: through the connection that core.migrate opened, inside its transaction."""

from alembic import context

import countinghouse.main  # noqa: F401 - importing it registers the tables of every package
from countinghouse.core.db import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
