-- Milliseconds until a phone rang: the ends of all steps but the last.
CREATE OR REPLACE FUNCTION ring_delay_steps() RETURNS integer[]
LANGUAGE sql IMMUTABLE
AS $$ SELECT '{500,1000,1500,2000,2500,3000,4000,5000,6000,8000,10000,12000}'::integer[] $$;

-- Verifications of a range of IDs, counted by everything that a statistic is asked by. An open one is counted as such. Without
-- clauses, so that it becomes a part of the query and is planned for its account.
CREATE OR REPLACE FUNCTION count_range(p_first bigint, p_end bigint, p_account integer)
RETURNS SETOF call_minutes
LANGUAGE sql STABLE
AS $$
  SELECT to_timestamp(((call.id >> 23) / 60) * 60 + id_epoch()), call.account_id, call.service_id, call.mode, call.is_test,
    call.country, coalesce(call.phone_info ->> 'mnp', ''), coalesce(call.trunk, ''), call.state, coalesce(call.reason, ''),
    count(*)::integer, count(call.dialled_at)::integer,
    (count(*) FILTER (WHERE call.rang_at IS NOT NULL OR call.post_dial_ms IS NOT NULL))::integer, count(call.first_id)::integer,
    sum(CASE WHEN call.state = 'succeeded' OR call.state = 'failed' AND call.charges_failed
      AND call.reason = ANY (charged_failures()) THEN call.price ELSE 0 END)::bigint,
    CASE WHEN count(step) > 0 THEN ARRAY[
      count(*) FILTER (WHERE step = 0), count(*) FILTER (WHERE step = 1), count(*) FILTER (WHERE step = 2),
      count(*) FILTER (WHERE step = 3), count(*) FILTER (WHERE step = 4), count(*) FILTER (WHERE step = 5),
      count(*) FILTER (WHERE step = 6), count(*) FILTER (WHERE step = 7), count(*) FILTER (WHERE step = 8),
      count(*) FILTER (WHERE step = 9), count(*) FILTER (WHERE step = 10), count(*) FILTER (WHERE step = 11),
      count(*) FILTER (WHERE step = 12)]::integer[] END
  FROM verifications AS call, LATERAL (SELECT width_bucket(call.post_dial_ms, ring_delay_steps()) AS step) AS ring
  WHERE call.id >= p_first AND call.id < p_end AND (p_account IS NULL OR call.account_id = p_account)
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
$$;

-- Counts minutes whose verifications are all over, at most p_minutes, and folds the hours that are complete. Below the mark of
-- the sweep no call is open and none can appear; an inbound verification may be open for longer and keeps its minute open.
-- Returns how many minutes were counted. Does nothing while another keeper counts.
CREATE OR REPLACE FUNCTION count_calls(p_minutes integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' SET jit = off
AS $$
DECLARE
  minute_ids CONSTANT bigint := 60::bigint << 23;
  mark call_count_marks;
  over_to bigint;
  minute_id bigint;
  done integer := 0;
BEGIN
  SELECT * INTO mark FROM call_count_marks FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  SELECT from_id / minute_ids * minute_ids INTO over_to FROM sweep_marks;
  WHILE done < p_minutes AND mark.counted_to < over_to LOOP
    -- The next minute that has verifications.
    SELECT min(call.id) / minute_ids * minute_ids INTO minute_id FROM verifications AS call
    WHERE call.id >= mark.counted_to AND call.id < over_to;
    mark.counted_to := coalesce(minute_id, over_to);
    EXIT WHEN minute_id IS NULL OR EXISTS (
      SELECT FROM verifications AS call
      WHERE call.id >= minute_id AND call.id < minute_id + minute_ids AND call.state IN ('accepted', 'dialling'));
    INSERT INTO call_minutes SELECT * FROM count_range(minute_id, minute_id + minute_ids, NULL);
    mark.counted_to := minute_id + minute_ids;
    done := done + 1;
  END LOOP;
  UPDATE call_count_marks SET counted_to = mark.counted_to WHERE counted_to <> mark.counted_to;
  PERFORM fold_hours(to_timestamp((mark.counted_to >> 23) + id_epoch()));
  RETURN done;
END
$$;

-- Folds minutes into hours up to the last full hour before p_until.
CREATE OR REPLACE FUNCTION fold_hours(p_until timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
DECLARE
  folded_until CONSTANT timestamptz := date_trunc('hour', p_until, 'UTC');
BEGIN
  IF folded_until <= (SELECT folded_to FROM call_count_marks) THEN
    RETURN;
  END IF;
  WITH folded AS (
    DELETE FROM call_minutes WHERE minute < folded_until RETURNING *
  ), of_network AS (
    INSERT INTO network_hours
    SELECT date_trunc('hour', minute, 'UTC'), mode, provider, trunk, sum(calls), sum(dialled), sum(rang),
      coalesce(sum(calls) FILTER (WHERE state = 'succeeded'), 0)
    FROM folded WHERE NOT is_test GROUP BY 1, 2, 3, 4 ORDER BY 1
  )
  INSERT INTO call_hours
  SELECT date_trunc('hour', minute, 'UTC'), account_id, service_id, mode, is_test, country, provider, trunk, state, reason,
    sum(calls), sum(dialled), sum(rang), sum(repeats), sum(charged),
    CASE WHEN count(ring_delays) > 0 THEN ARRAY[sum(ring_delays[1]), sum(ring_delays[2]), sum(ring_delays[3]),
      sum(ring_delays[4]), sum(ring_delays[5]), sum(ring_delays[6]), sum(ring_delays[7]), sum(ring_delays[8]),
      sum(ring_delays[9]), sum(ring_delays[10]), sum(ring_delays[11]), sum(ring_delays[12]), sum(ring_delays[13])] END
  FROM folded GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ORDER BY 1, 2;
  UPDATE call_count_marks SET folded_to = folded_until;
END
$$;

-- Deletes hours older than this, at most p_limit rows.
CREATE OR REPLACE FUNCTION forget_call_counts(p_limit integer, p_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  forgotten integer := 0;
BEGIN
  IF leads_housekeeping() AND is_clock_trusted() THEN
    DELETE FROM call_hours WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM call_hours WHERE hour < clock_timestamp() - make_interval(days => p_days) LIMIT p_limit));
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    DELETE FROM network_hours WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM network_hours WHERE hour < clock_timestamp() - make_interval(days => p_days) LIMIT p_limit));
  END IF;
  RETURN forgotten;
END
$$;
