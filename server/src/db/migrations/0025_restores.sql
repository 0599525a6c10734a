-- Restores from a backup, see functions/finish-restore.sql. Verifications between the two moments were made and are not here.
CREATE TABLE restores (
  finished_at timestamptz PRIMARY KEY,
  restored_to timestamptz NOT NULL,
  CHECK (restored_to <= finished_at)
);
