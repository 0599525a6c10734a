-- For accounts whose record is in another database than the limits of the number: the call is reserved here first, accepted
-- there, confirmed here. A reservation that is never confirmed lapses after five seconds, whatever the scale: it
-- waits for machines and not for people. Requests with the same key share
-- one: only one of them will be accepted, and whichever it is confirms it.
CREATE TYPE number_reservation AS (
  hash bytea,
  token bigint,
  service_id integer,
  key_digest bytea,
  calls_10_minutes integer,
  calls_day integer
);

CREATE FUNCTION reserve_numbers(p_reservations jsonb, p_scale float8)
RETURNS TABLE (ord integer, verdict text, retry_ms float8, token bigint)
LANGUAGE plpgsql SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
#variable_conflict use_column
DECLARE
  q number_reservation;
  n subscriber_numbers;
  j number_verdict;
  v_now timestamptz;
BEGIN
  INSERT INTO subscriber_numbers (hash)
  SELECT DISTINCT hash FROM jsonb_populate_recordset(NULL::number_reservation, p_reservations) ORDER BY 1
  ON CONFLICT DO NOTHING;
  PERFORM FROM subscriber_numbers AS s
  WHERE s.hash IN (SELECT hash FROM jsonb_populate_recordset(NULL::number_reservation, p_reservations))
  ORDER BY s.hash FOR UPDATE;
  v_now := clock_timestamp();
  ord := 0;
  FOR q IN SELECT * FROM jsonb_populate_recordset(NULL::number_reservation, p_reservations) LOOP
    SELECT s.* INTO n FROM subscriber_numbers AS s WHERE s.hash = q.hash;
    n := without_lapsed(n, v_now);
    ord := ord + 1;
    IF NOT n.open_confirmed AND n.open_digest = q.key_digest THEN
      verdict := 'reserved';
      retry_ms := NULL;
      token := n.open_token;
      RETURN NEXT;
      CONTINUE;
    END IF;
    j := judge_number(n, q.service_id, q.calls_10_minutes, q.calls_day, v_now, p_scale);
    verdict := coalesce(j.verdict, 'reserved');
    retry_ms := j.retry_ms;
    token := q.token;
    IF j.verdict IS NULL THEN
      n := with_call(n, q.service_id, q.token, v_now, v_now + interval '5 seconds', false, q.key_digest, p_scale);
      UPDATE subscriber_numbers AS s SET (open_token, open_until, open_confirmed, open_digest, call_at, call_service,
          call_token, touched_at) =
        (n.open_token, n.open_until, n.open_confirmed, n.open_digest, n.call_at, n.call_service, n.call_token, n.touched_at)
      WHERE s.hash = q.hash;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;

-- False when the reservation had lapsed and somebody else may have the number by now.
CREATE FUNCTION confirm_number(p_hash bytea, p_token bigint, p_scale float8) RETURNS boolean
LANGUAGE sql SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
  WITH confirmed AS (
    UPDATE subscriber_numbers SET open_confirmed = true, open_digest = NULL,
      open_until = clock_timestamp() + interval '55 seconds' * p_scale
    WHERE hash = p_hash AND open_token = p_token RETURNING 1
  )
  SELECT EXISTS (SELECT FROM confirmed)
$$;

-- The call is over; or, given back, it never was.
CREATE FUNCTION close_number(p_hash bytea, p_token bigint, p_give_back boolean) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  n subscriber_numbers;
BEGIN
  SELECT s.* INTO n FROM subscriber_numbers AS s WHERE s.hash = p_hash FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF p_give_back THEN
    n := without_call(n, p_token);
  ELSIF n.open_token = p_token THEN
    n.open_token := NULL;
    n.open_until := NULL;
  END IF;
  UPDATE subscriber_numbers AS s SET (open_token, open_until, open_confirmed, open_digest, call_at, call_service,
      call_token) =
    (n.open_token, n.open_until, n.open_confirmed, n.open_digest, n.call_at, n.call_service, n.call_token)
  WHERE s.hash = p_hash;
END
$$;

REVOKE ALL ON FUNCTION reserve_numbers, confirm_number, close_number FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reserve_numbers, confirm_number, close_number TO ringproof_app;
