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

-- What was refused against fraud and harassment: one row a minute, rule, service and prefix, with the prefix sealed for the
-- operator's eyes. A flood adds to a count; prefixes above a bound share the row of prefix 0.
CREATE TABLE fraud_hits (
  minute timestamptz NOT NULL,
  rule text NOT NULL,
  service_id integer NOT NULL,
  prefix bigint NOT NULL,
  prefix_sealed bytea,
  hits bigint NOT NULL,
  PRIMARY KEY (minute, rule, service_id, prefix)
);
GRANT SELECT, INSERT ON fraud_hits TO ringproof_api;
GRANT UPDATE (hits) ON fraud_hits TO ringproof_api;
GRANT SELECT ON fraud_hits TO ringproof_operator;

-- Housekeeping, so many rows at a time: hours that are over, and blocks older than a week.
CREATE FUNCTION forget_prefix_usage(p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  forgotten integer;
BEGIN
  DELETE FROM prefix_usage WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM prefix_usage WHERE hour < clock_timestamp() - interval '2 hours' LIMIT p_limit FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;

CREATE FUNCTION forget_fraud_hits(p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  forgotten integer;
BEGIN
  DELETE FROM fraud_hits WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM fraud_hits WHERE minute < clock_timestamp() - interval '7 days' ORDER BY minute LIMIT p_limit));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;
REVOKE ALL ON FUNCTION forget_prefix_usage, forget_fraud_hits FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_prefix_usage, forget_fraud_hits TO ringproof_keeper;
