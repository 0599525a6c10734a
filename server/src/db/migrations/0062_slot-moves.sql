-- The slot of a number, which does not follow from its hash: the limits of a number move with its slot. NULL in a row that nobody has
-- written since this column exists; such rows are forgotten like all.
ALTER TABLE subscriber_numbers ADD COLUMN slot smallint;

-- Slots that have moved between databases, as each database knows it (docs/adr/0038). A slot without a row is where the
-- configuration says.
--
--   copying    lives here and is being copied to the peer; what changes is noted in slot_changes
--   frozen     the same, and nothing may change until frozen_until
--   moved      lives elsewhere; what is left of it is hidden, then deleted
--   arriving   comes from the peer, and is hidden
--   here       has arrived, or has stayed
CREATE TABLE slot_moves (
  slot smallint PRIMARY KEY CHECK (slot BETWEEN 1 AND 63),
  state text NOT NULL CHECK (state IN ('copying', 'frozen', 'moved', 'arriving', 'here')),
  -- The other database, for people.
  peer text NOT NULL,
  frozen_until timestamptz CHECK (state <> 'frozen' OR frozen_until IS NOT NULL),
  is_hidden boolean NOT NULL DEFAULT false,
  -- Rows of the slot that lives elsewhere are still to be deleted.
  is_dirty boolean NOT NULL DEFAULT false,
  -- The last key of each table that was copied.
  progress jsonb NOT NULL DEFAULT '{}',
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Keys of rows that have changed since they were copied.
CREATE TABLE slot_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  slot smallint NOT NULL,
  table_name text NOT NULL,
  key jsonb NOT NULL
);
