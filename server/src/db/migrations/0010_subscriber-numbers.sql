-- How a subscriber is protected, over all accounts: one row a number, found by a keyed hash of its own. While keys change a
-- number has a row under each of them: whoever evaluates it locks them all, in their order, and counts them together; what is
-- new is written under the active key. The arrays hold
-- the accepted calls of the last day, oldest first; at most thirty of them, so they are counted in place. A call that is
-- going on is open. While lease_confirmed is false it is only reserved, for an account whose record is elsewhere, and lapses
-- by itself at lease_until.
CREATE TABLE subscriber_numbers (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  lease_id bigint,
  lease_until timestamptz,
  lease_confirmed boolean NOT NULL DEFAULT true,
  lease_digest bytea,
  call_at timestamptz[] NOT NULL DEFAULT '{}',
  call_service integer[] NOT NULL DEFAULT '{}',
  call_lease_id bigint[] NOT NULL DEFAULT '{}',
  touched_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

CREATE TYPE number_decision AS (decision text, retry_ms float8);

-- For accounts whose record is in another database than the limits of the number: the call is reserved here first, accepted
-- there, confirmed here. A reservation that is never confirmed lapses after five seconds, whatever the scale: it
-- waits for machines and not for people. Requests with the same key share one, also when it is confirmed: only one of them
-- is accepted, and a replay that finds it unclaimed reserves and confirms again before it dispatches the call. Hashes and digests are those under every ring key
-- that may still be in use, the active one first, which is the one that is written.
CREATE TYPE number_reservation AS (
  hashes bytea[],
  token bigint,
  service_id integer,
  key_digests bytea[],
  calls_10_minutes integer,
  calls_day integer,
  opt_out_digest bytea
);
