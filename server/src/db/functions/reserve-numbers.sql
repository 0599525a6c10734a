CREATE OR REPLACE FUNCTION reserve_numbers(p_reservations jsonb, p_scale float8)
RETURNS TABLE (ord integer, decision text, retry_ms float8, token bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  r number_reservation[] := ARRAY(
    SELECT jsonb_populate_record(NULL::number_reservation, e)
    FROM jsonb_array_elements(p_reservations) WITH ORDINALITY AS t(e, o) ORDER BY o);
  q number_reservation;
  n subscriber_numbers;
  rows subscriber_numbers[];
  shared subscriber_numbers;
  j number_decision;
  v_now timestamptz;
  opted_out bytea[];
BEGIN
  -- An update that changes nothing locks the row, whoever made it.
  INSERT INTO subscriber_numbers AS s (hash)
  SELECT DISTINCT h FROM unnest(r) AS x, unnest(x.hashes) AS h ORDER BY 1
  ON CONFLICT (hash) DO UPDATE SET touched_at = s.touched_at;
  v_now := clock_timestamp();
  opted_out := ARRAY(SELECT o.digest FROM opt_outs AS o WHERE o.digest IN (SELECT x.opt_out_digest FROM unnest(r) AS x));
  ord := 0;
  FOREACH q IN ARRAY r LOOP
    rows := ARRAY(SELECT without_lapsed(s, v_now) FROM subscriber_numbers AS s WHERE s.hash = ANY (q.hashes));
    ord := ord + 1;
    shared := NULL;
    SELECT s.* INTO shared FROM unnest(rows) AS s WHERE s.lease_until > v_now AND s.lease_digest = ANY (q.key_digests);
    IF shared.hash IS NOT NULL THEN
      -- The call follows this request and not the first one, so that is when it counts. While it has the lease, it is the last.
      UPDATE subscriber_numbers AS s SET call_at[array_position(s.call_lease_id, shared.lease_id)] = v_now
      WHERE s.hash = shared.hash;
      decision := 'reserved';
      retry_ms := NULL;
      token := shared.lease_id;
      RETURN NEXT;
      CONTINUE;
    END IF;
    IF q.opt_out_digest = ANY (opted_out) THEN
      decision := 'opted-out';
      retry_ms := NULL;
      token := q.token;
      RETURN NEXT;
      CONTINUE;
    END IF;
    j := evaluate_number_limits(joined_number(rows, v_now), q.service_id, q.calls_10_minutes, q.calls_day, v_now, p_scale);
    decision := coalesce(j.decision, 'reserved');
    retry_ms := j.retry_ms;
    token := q.token;
    IF j.decision IS NULL THEN
      SELECT s.* INTO n FROM unnest(rows) AS s WHERE s.hash = q.hashes[1];
      n := with_call(n, q.service_id, q.token, v_now, v_now + interval '5 seconds', false, q.key_digests[1], p_scale);
      UPDATE subscriber_numbers AS s SET (lease_id, lease_until, lease_confirmed, lease_digest, call_at, call_service,
          call_lease_id, touched_at) =
        (n.lease_id, n.lease_until, n.lease_confirmed, n.lease_digest, n.call_at, n.call_service, n.call_lease_id, n.touched_at)
      WHERE s.hash = q.hashes[1];
    END IF;
    RETURN NEXT;
  END LOOP;
  -- The rows that were made to be locked and hold nothing.
  DELETE FROM subscriber_numbers AS s
  WHERE s.hash IN (SELECT h FROM unnest(r) AS x, unnest(x.hashes) AS h) AND s.call_at = '{}';
END
$$;

-- False when the reservation had lapsed and somebody else may have the number by now.
CREATE OR REPLACE FUNCTION confirm_number(p_hashes bytea[], p_lease_id bigint, p_scale float8) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
  WITH confirmed AS (
    UPDATE subscriber_numbers SET lease_confirmed = true,
      lease_until = clock_timestamp() + interval '55 seconds' * p_scale
    WHERE hash = ANY (p_hashes) AND lease_id = p_lease_id RETURNING 1
  )
  SELECT EXISTS (SELECT FROM confirmed)
$$;

-- The call is over; or, given back, it never was.
CREATE OR REPLACE FUNCTION close_number(p_hashes bytea[], p_lease_id bigint, p_give_back boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  n subscriber_numbers;
BEGIN
  FOR n IN
    SELECT s.* FROM subscriber_numbers AS s WHERE s.hash = ANY (p_hashes) ORDER BY s.hash FOR UPDATE
  LOOP
    IF p_give_back THEN
      n := without_call(n, p_lease_id);
    ELSIF n.lease_id = p_lease_id THEN
      n.lease_id := NULL;
      n.lease_until := NULL;
      n.lease_digest := NULL;
    END IF;
    IF n.call_at = '{}' THEN
      DELETE FROM subscriber_numbers AS s WHERE s.hash = n.hash;
    ELSE
      UPDATE subscriber_numbers AS s SET (lease_id, lease_until, lease_confirmed, lease_digest, call_at, call_service,
          call_lease_id) =
        (n.lease_id, n.lease_until, n.lease_confirmed, n.lease_digest, n.call_at, n.call_service, n.call_lease_id)
      WHERE s.hash = n.hash;
    END IF;
  END LOOP;
END
$$;
