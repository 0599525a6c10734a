-- For accounts whose database is not the one that keeps the limits of the number: the call is reserved here, accepted there,
-- confirmed here. A reservation that is not confirmed lapses after reservation_time(), whatever the scale: it waits for machines,
-- not for people. Requests with the same key share a reservation, also a confirmed one: only one of them is accepted, and a
-- replay that finds the call unclaimed reserves and confirms again before it dispatches it.
CREATE OR REPLACE FUNCTION reserve_numbers(p_reservations jsonb, p_scale float8)
RETURNS TABLE (ord integer, decision text, retry_ms float8, token bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  requests number_reservation[] := ARRAY(
    SELECT jsonb_populate_record(NULL::number_reservation, request)
    FROM jsonb_array_elements(p_reservations) WITH ORDINALITY AS listed(request, place) ORDER BY place);
  request number_reservation;
  rows subscriber_numbers[];
  shared subscriber_numbers;
  limited number_decision;
  v_now timestamptz;
  opted_out bytea[];
BEGIN
  -- An update that changes nothing locks the row, whichever transaction wrote it.
  INSERT INTO subscriber_numbers AS number (hash)
  SELECT DISTINCT hash FROM unnest(requests) AS request, unnest(request.hashes) AS hash ORDER BY 1
  ON CONFLICT (hash) DO UPDATE SET touched_at = number.touched_at;
  v_now := clock_timestamp();
  opted_out := ARRAY(SELECT digest FROM opt_outs WHERE digest IN (SELECT opt_out_digest FROM unnest(requests)));
  ord := 0;
  FOREACH request IN ARRAY requests LOOP
    rows := ARRAY(SELECT without_lapsed(number, v_now) FROM subscriber_numbers AS number
                  WHERE number.hash = ANY (request.hashes));
    ord := ord + 1;
    decision := 'reserved';
    retry_ms := NULL;
    token := request.token;
    shared := NULL;
    SELECT number.* INTO shared FROM unnest(rows) AS number
    WHERE number.lease_until > v_now AND number.lease_digest = ANY (request.key_digests);
    IF shared.hash IS NOT NULL THEN
      token := shared.lease_id;
      -- The call follows this request and not the first one, so it counts from now. While it has the lease, it is the last.
      UPDATE subscriber_numbers AS number SET call_at[array_position(number.call_lease_id, shared.lease_id)] = v_now
      WHERE number.hash = shared.hash;
    ELSIF request.opt_out_digest = ANY (opted_out) THEN
      decision := 'opted-out';
    ELSE
      limited := evaluate_number_limits(
        joined_number(rows, v_now), request.service_id, request.calls_10_minutes, request.calls_day, v_now, p_scale);
      decision := coalesce(limited.decision, 'reserved');
      retry_ms := limited.retry_ms;
      IF decision = 'reserved' THEN
        UPDATE subscriber_numbers AS number SET (lease_id, lease_until, lease_confirmed, lease_digest, call_at, call_service,
            call_lease_id, touched_at) =
          (SELECT after.lease_id, after.lease_until, after.lease_confirmed, after.lease_digest, after.call_at,
             after.call_service, after.call_lease_id, after.touched_at
           FROM with_call(without_lapsed(number, v_now), request.service_id, request.token, v_now,
             v_now + reservation_time(), false, request.key_digests[1], p_scale) AS after)
        WHERE number.hash = request.hashes[1];
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
  -- The rows that were inserted to be locked and hold nothing.
  DELETE FROM subscriber_numbers AS number
  WHERE number.hash IN (SELECT hash FROM unnest(requests) AS request, unnest(request.hashes) AS hash) AND number.call_at = '{}';
END
$$;

-- False when the reservation had lapsed: another call may have the number by now.
CREATE OR REPLACE FUNCTION confirm_number(p_hashes bytea[], p_lease_id bigint, p_scale float8) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
  WITH confirmed AS (
    UPDATE subscriber_numbers SET lease_confirmed = true,
      lease_until = clock_timestamp() + call_deadline(p_scale)
    WHERE hash = ANY (p_hashes) AND lease_id = p_lease_id RETURNING 1
  )
  SELECT EXISTS (SELECT FROM confirmed)
$$;

-- The call is over; or, given back, it never took place.
CREATE OR REPLACE FUNCTION close_number(p_hashes bytea[], p_lease_id bigint, p_give_back boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  number subscriber_numbers;
BEGIN
  FOR number IN
    SELECT * FROM subscriber_numbers WHERE hash = ANY (p_hashes) ORDER BY hash FOR UPDATE
  LOOP
    IF p_give_back THEN
      number := without_call(number, p_lease_id);
    ELSIF number.lease_id = p_lease_id THEN
      number.lease_id := NULL;
      number.lease_until := NULL;
      number.lease_digest := NULL;
    END IF;
    IF number.call_at = '{}' THEN
      DELETE FROM subscriber_numbers WHERE hash = number.hash;
    ELSE
      UPDATE subscriber_numbers SET (lease_id, lease_until, lease_confirmed, lease_digest, call_at, call_service,
          call_lease_id) =
        (number.lease_id, number.lease_until, number.lease_confirmed, number.lease_digest, number.call_at,
         number.call_service, number.call_lease_id)
      WHERE hash = number.hash;
    END IF;
  END LOOP;
END
$$;
