"""How Alembic reaches the database: through the connection that core.migrate opened, inside its transaction."""

from alembic import context

import countinghouse.main  # noqa: F401 - importing it registers the tables of every package
from countinghouse.core.db import metadata

on_applied = context.config.attributes.get("on_applied") or (lambda _revision: None)

context.configure(
    connection=context.config.attributes["connection"],
    on_version_apply=lambda step, **_: on_applied(step.up_revision_id),
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
