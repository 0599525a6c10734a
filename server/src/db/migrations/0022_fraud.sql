-- The kill switch: one row while all trunks are stopped, none otherwise. Used in the home slot's database only.
CREATE TABLE trunk_stops (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  reason text NOT NULL,
  stopped_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON trunk_stops TO ringproof_api, ringproof_calls, ringproof_operator;
GRANT INSERT, DELETE ON trunk_stops TO ringproof_operator;

-- Subscribers who want no calls, each in the database of its number. The digest is under a key that is never replaced: the
-- number itself is not kept, so no digest could be made anew.
CREATE TABLE opt_outs (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON opt_outs TO ringproof_api, ringproof_operator;
GRANT INSERT, DELETE ON opt_outs TO ringproof_operator;

-- Calls of a service to a prefix (a number without its last four digits, by a keyed digest) in the clock hour; guarded by
-- its account's lock. Only what has a cap is counted.
CREATE TABLE prefix_usage (
  service_id integer NOT NULL,
  prefix bigint NOT NULL,
  hour timestamptz NOT NULL,
  hour_count integer NOT NULL,
  PRIMARY KEY (service_id, prefix)
) WITH (fillfactor = 50);
GRANT SELECT ON prefix_usage TO ringproof_operator;
