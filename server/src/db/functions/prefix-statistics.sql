-- The lowest ID that a verification of this time may have, with a margin of ten seconds for a late clock.
CREATE OR REPLACE FUNCTION id_floor(at timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE
AS $$
  SELECT greatest(0, floor(extract(epoch FROM at))::bigint - id_epoch() - 10) << 23
$$;

-- Whether the end of a call says something about the number: one that failed because of us or of a trunk does not.
CREATE OR REPLACE FUNCTION is_conclusive(p_state verification_state, p_reason text, p_sip_status integer) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT p_state = 'succeeded' OR p_state = 'failed' AND p_reason NOT IN ('not-dispatched', 'not-started', 'lost', 'silence')
    AND coalesce(p_sip_status, 0) NOT IN (401, 403, 407, 408, 488, 500, 501, 502, 503, 504)
$$;

-- Sums up the minutes that are over and whose calls are over too. Each is read once, by the range of its IDs; after an outage
-- only those that a window may still need. A call is a repeat when the same account called the number in the ten minutes before
-- it; a further call of a ladder is none. The range ends after the second in which the minute ends.
CREATE OR REPLACE FUNCTION roll_up_prefixes(p_scale float8) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  one_minute CONSTANT interval := interval '1 minute' * p_scale;
  v_now CONSTANT timestamptz := clock_timestamp();
  from_at timestamptz;
  done integer := 0;
BEGIN
  INSERT INTO fraud_progress (job, done_until) VALUES ('prefixes', v_now - one_minute * 10) ON CONFLICT DO NOTHING;
  SELECT done_until INTO from_at FROM fraud_progress WHERE job = 'prefixes' FOR UPDATE SKIP LOCKED;
  IF from_at IS NULL THEN
    RETURN 0;
  END IF;
  from_at := greatest(from_at, v_now - one_minute * 10);
  WHILE from_at + one_minute * 2 <= v_now LOOP
    INSERT INTO prefix_minutes (minute, prefix, country, calls, answered, repeats)
    SELECT from_at, call.prefix, min(call.country), count(*), count(*) FILTER (WHERE call.state = 'succeeded'),
      count(*) FILTER (WHERE EXISTS (
        SELECT FROM verifications AS earlier
        WHERE earlier.id BETWEEN id_floor(from_at - one_minute * 10) AND id_floor(from_at + one_minute) + (11::bigint << 23)
          AND earlier.phone_hash = call.phone_hash AND earlier.id < call.id) AND coalesce(call.ladder_id, call.id) = call.id)
    FROM verifications AS call
    WHERE call.id BETWEEN id_floor(from_at) AND id_floor(from_at + one_minute) + (11::bigint << 23)
      AND call.accepted_at >= from_at AND call.accepted_at < from_at + one_minute AND call.prefix IS NOT NULL
      AND is_conclusive(call.state, call.reason, call.sip_status)
    GROUP BY call.prefix
    ON CONFLICT DO NOTHING;
    from_at := from_at + one_minute;
    done := done + 1;
  END LOOP;
  UPDATE fraud_progress SET done_until = from_at WHERE job = 'prefixes';
  DELETE FROM prefix_minutes WHERE minute < v_now - kept_prefix_minutes(p_scale);
  RETURN done;
END
$$;

-- The last minutes by country (prefix is then NULL), and by prefix where it has p_calls_min calls or is watched.
CREATE OR REPLACE FUNCTION prefix_windows(p_minutes integer, p_calls_min integer, p_watched bigint[], p_scale float8)
RETURNS TABLE (country text, prefix bigint, calls bigint, answered bigint, repeats bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
  SELECT counted.country, counted.prefix, sum(counted.calls), sum(counted.answered), sum(counted.repeats)
  FROM prefix_minutes AS counted
  WHERE counted.minute >= (SELECT progress.done_until FROM fraud_progress AS progress WHERE progress.job = 'prefixes')
    - interval '1 minute' * p_scale * p_minutes
  GROUP BY GROUPING SETS ((counted.country), (counted.country, counted.prefix))
  HAVING counted.prefix IS NULL OR sum(counted.calls) >= p_calls_min OR counted.prefix = ANY (p_watched)
  ORDER BY 3 DESC LIMIT 10000
$$;

-- Prefixes with at least p_min calls in this hour, or those in p_prefixes, and when the hour is over.
CREATE OR REPLACE FUNCTION prefix_sums(p_min integer, p_prefixes bigint[])
RETURNS TABLE (prefix bigint, calls bigint, until timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
  SELECT usage.prefix, sum(usage.hour_count), usage.hour + interval '1 hour'
  FROM prefix_usage AS usage WHERE usage.hour = date_trunc('hour', clock_timestamp())
  GROUP BY usage.prefix, usage.hour HAVING sum(usage.hour_count) >= p_min OR usage.prefix = ANY (p_prefixes)
  ORDER BY 2 DESC LIMIT 10000
$$;
