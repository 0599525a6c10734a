-- The limits of a subscriber's number, over all accounts: one row per number, found by a keyed hash. While keys change, a number
-- may have a row under each of them: all are locked, in order, and counted together; new calls are written under the active
-- key. The arrays hold the accepted calls of the last day, oldest first; they are few, so they are counted in place. A call in
-- progress has the lease. While lease_confirmed is false the call is only reserved, for an account in another database, and
-- the lease lapses at lease_until.
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

-- A request of reserve_numbers. Hashes and digests are those under every key that may still be in use, the active one first,
-- which is the one that is written.
CREATE TYPE number_reservation AS (
  hashes bytea[],
  token bigint,
  service_id integer,
  key_digests bytea[],
  calls_10_minutes integer,
  calls_day integer,
  opt_out_digest bytea
);
