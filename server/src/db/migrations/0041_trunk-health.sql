-- Why a trunk is as it is, as each node sees it, and what the node has measured. changed_at is when the cause became what it is.
ALTER TABLE trunk_states
  ADD COLUMN state text NOT NULL DEFAULT 'healthy' CHECK (state IN ('healthy', 'degraded', 'down')),
  ADD COLUMN cause text NOT NULL DEFAULT 'fine',
  ADD COLUMN sip_status smallint,
  ADD COLUMN facts jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN changed_at timestamptz NOT NULL DEFAULT clock_timestamp();

-- A draining trunk takes no new call. Calls in progress and inbound calls go on; it stays registered.
ALTER TABLE trunks ADD COLUMN is_draining boolean NOT NULL DEFAULT false;
