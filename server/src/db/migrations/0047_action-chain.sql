-- Chains the entries of the action log: each hash covers its entry and the hash before it. Entries are chained after the fact, in the
-- order in which they became visible, which is not always the order of their IDs.
CREATE TABLE action_chain (
  sequence bigint PRIMARY KEY CHECK (sequence > 0),
  entry_id bigint NOT NULL UNIQUE,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  chained_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Lists over several databases are merged by time.
CREATE INDEX action_log_by_time ON action_log (created_at DESC, id DESC);
