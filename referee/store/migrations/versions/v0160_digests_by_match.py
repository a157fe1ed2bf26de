"""What the tables of 0150 lack: of which matches letters come the other way than all others."""

from referee.store.migrations.versions.v0150_since_0_2_0 import upgrade as upgrade

revision = "0160"
down_revision = "0150"
