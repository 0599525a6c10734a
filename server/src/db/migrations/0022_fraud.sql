-- The kill switch: one row while all trunks are stopped, none otherwise. Used in the global database only.
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

-- How calls to prefixes went, minute by minute, in the database of their accounts; kept for half an hour. And how far that is
-- done: 'prefixes' in each database, 'breakers' in the global database.
CREATE TABLE prefix_minutes (
  minute timestamptz NOT NULL,
  prefix bigint NOT NULL,
  country text NOT NULL,
  calls integer NOT NULL,
  answered integer NOT NULL,
  repeats integer NOT NULL,
  PRIMARY KEY (minute, prefix)
);
CREATE TABLE fraud_progress (
  job text PRIMARY KEY,
  done_until timestamptz NOT NULL
);
GRANT SELECT ON prefix_minutes, fraud_progress TO ringproof_operator;

-- Breakers, by the digest of a prefix or by a country; and prefixes that all services together have called too often. Used
-- in the global database only.
CREATE TABLE prefix_breakers (
  scope text PRIMARY KEY,
  phase text NOT NULL CHECK (phase IN ('closed', 'open', 'half-open')),
  since timestamptz NOT NULL,
  cooldown_ms float8 NOT NULL,
  baseline_calls float8 NOT NULL,
  baseline_answered float8 NOT NULL,
  baseline_repeats float8 NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX prefix_breakers_not_closed ON prefix_breakers (phase) WHERE phase <> 'closed';
CREATE TABLE full_prefixes (
  prefix bigint PRIMARY KEY,
  until timestamptz NOT NULL
);
GRANT SELECT ON prefix_breakers, full_prefixes TO ringproof_api, ringproof_calls, ringproof_operator;
GRANT SELECT, INSERT, UPDATE, DELETE ON prefix_breakers, full_prefixes, fraud_progress TO ringproof_keeper;

-- Sums up the minutes that are over and whose calls are over too: each is read once, by the range of its ids, whatever keeps
-- it. After an outage only those that a window may still need. A call is a repeat when the same account called the number in
-- the ten minutes before it. What failed for a reason of ours or of a trunk says nothing about the number.
CREATE FUNCTION roll_up_prefixes(p_scale float8) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET jit = off
AS $$
DECLARE
  one_minute CONSTANT interval := interval '1 minute' * p_scale;
  v_now CONSTANT timestamptz := clock_timestamp();
  from_at timestamptz;
  done integer := 0;
BEGIN
  INSERT INTO fraud_progress (job, done_until) VALUES ('prefixes', v_now - one_minute * 10) ON CONFLICT DO NOTHING;
  SELECT p.done_until INTO from_at FROM fraud_progress AS p WHERE p.job = 'prefixes' FOR UPDATE SKIP LOCKED;
  IF from_at IS NULL THEN
    RETURN 0;
  END IF;
  from_at := greatest(from_at, v_now - one_minute * 10);
  WHILE from_at + one_minute * 2 <= v_now LOOP
    INSERT INTO prefix_minutes (minute, prefix, country, calls, answered, repeats)
    SELECT from_at, v.prefix, min(v.country), count(*), count(*) FILTER (WHERE v.state = 'succeeded'),
      count(*) FILTER (WHERE EXISTS (
        SELECT FROM verifications AS w
        WHERE w.id BETWEEN id_floor(from_at - one_minute * 10) AND id_floor(from_at + one_minute) + (10::bigint << 23)
          AND w.phone_hash = v.phone_hash AND w.id < v.id))
    FROM verifications AS v
    WHERE v.id BETWEEN id_floor(from_at) AND id_floor(from_at + one_minute) + (10::bigint << 23)
      AND v.accepted_at >= from_at AND v.accepted_at < from_at + one_minute AND v.prefix IS NOT NULL
      AND (v.state = 'succeeded' OR v.state = 'failed'
        AND v.reason NOT IN ('not-dispatched', 'not-started', 'lost', 'silence')
        AND coalesce(v.sip_status, 0) NOT IN (401, 403, 407, 408, 488, 500, 501, 502, 503, 504))
    GROUP BY v.prefix
    ON CONFLICT DO NOTHING;
    from_at := from_at + one_minute;
    done := done + 1;
  END LOOP;
  UPDATE fraud_progress SET done_until = from_at WHERE job = 'prefixes';
  DELETE FROM prefix_minutes WHERE minute < v_now - one_minute * 30;
  RETURN done;
END
$$;

-- The lowest id that a verification of this moment may have; a clock that runs ten seconds late is allowed for.
CREATE FUNCTION id_floor(at timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE
AS $$
  SELECT greatest(0, floor(extract(epoch FROM at))::bigint - 1767225600 - 10) << 23
$$;

-- The last minutes of countries (prefix is then empty), and of prefixes with so many calls or that somebody watches.
CREATE FUNCTION prefix_windows(p_minutes integer, p_calls_min integer, p_watched bigint[], p_scale float8)
RETURNS TABLE (country text, prefix bigint, calls bigint, answered bigint, repeats bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
  SELECT m.country, m.prefix, sum(m.calls), sum(m.answered), sum(m.repeats)
  FROM prefix_minutes AS m
  WHERE m.minute >= (SELECT p.done_until FROM fraud_progress AS p WHERE p.job = 'prefixes')
    - interval '1 minute' * p_scale * p_minutes
  GROUP BY GROUPING SETS ((m.country), (m.country, m.prefix))
  HAVING m.prefix IS NULL OR sum(m.calls) >= p_calls_min OR m.prefix = ANY (p_watched)
  ORDER BY 3 DESC LIMIT 10000
$$;

-- Prefixes that were called so often in this hour, or those that are asked for, and when the hour is over.
CREATE FUNCTION prefix_sums(p_min integer, p_prefixes bigint[])
RETURNS TABLE (prefix bigint, calls bigint, until timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
  SELECT u.prefix, sum(u.hour_count), u.hour + interval '1 hour'
  FROM prefix_usage AS u WHERE u.hour = date_trunc('hour', clock_timestamp())
  GROUP BY u.prefix, u.hour HAVING sum(u.hour_count) >= p_min OR u.prefix = ANY (p_prefixes)
  ORDER BY 2 DESC LIMIT 10000
$$;
REVOKE ALL ON FUNCTION roll_up_prefixes, id_floor, prefix_windows, prefix_sums FROM PUBLIC;
GRANT EXECUTE ON FUNCTION roll_up_prefixes, prefix_windows, prefix_sums TO ringproof_keeper;
