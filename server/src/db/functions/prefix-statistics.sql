-- The lowest id that a verification of this moment may have; a clock that runs ten seconds late is allowed for.
CREATE OR REPLACE FUNCTION id_floor(at timestamptz) RETURNS bigint
LANGUAGE sql IMMUTABLE
AS $$
  SELECT greatest(0, floor(extract(epoch FROM at))::bigint - 1767225600 - 10) << 23
$$;

-- Sums up the minutes that are over and whose calls are over too: each is read once, by the range of its ids, whatever keeps
-- it. After an outage only those that a window may still need. A call is a repeat when the same account called the number in
-- the ten minutes before it. What failed for a reason of ours or of a trunk says nothing about the number.
CREATE OR REPLACE FUNCTION roll_up_prefixes(p_scale float8) RETURNS integer
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

-- The last minutes of countries (prefix is then empty), and of prefixes with so many calls or that somebody watches.
CREATE OR REPLACE FUNCTION prefix_windows(p_minutes integer, p_calls_min integer, p_watched bigint[], p_scale float8)
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
CREATE OR REPLACE FUNCTION prefix_sums(p_min integer, p_prefixes bigint[])
RETURNS TABLE (prefix bigint, calls bigint, until timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
  SELECT u.prefix, sum(u.hour_count), u.hour + interval '1 hour'
  FROM prefix_usage AS u WHERE u.hour = date_trunc('hour', clock_timestamp())
  GROUP BY u.prefix, u.hour HAVING sum(u.hour_count) >= p_min OR u.prefix = ANY (p_prefixes)
  ORDER BY 2 DESC LIMIT 10000
$$;
