-- For accounts whose database is not the one that keeps the limits of the number: the call is reserved here and accepted there.
-- The lease lasts as long as a call that is accepted within reservation_time() of it, so nobody needs to confirm it. It ends with
-- its call or is given back; after a process died between the two steps it lapses, and one call too many counts. Requests with
-- the same key share a lease: only one of them is accepted, and a replay that finds the call unclaimed reserves again before it
-- dispatches it.
--
-- Requests of a batch are evaluated one after another, on what was locked and read at once, and written at once.
CREATE OR REPLACE FUNCTION reserve_numbers(p_reservations json, p_scale float8)
RETURNS TABLE (ord integer, decision text, retry_ms float8, token bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  requests CONSTANT number_reservation[] := ARRAY(SELECT json_populate_recordset(NULL::number_reservation, p_reservations));
  request number_reservation;
  known subscriber_numbers[];
  known_hashes bytea[];
  new_hashes bytea[];
  opted_out bytea[];
  v_now timestamptz;
  until timestamptz;
  -- The requests that were reserved so far.
  reserved number_reservation[] := '{}';
  reserved_hashes bytea[] := '{}';
  outcome number_outcome;
  outcomes number_outcome[] := '{}';
  shared_tokens bigint[] := '{}';
BEGIN
  -- An update that changes nothing locks the row and returns its newest version, whichever transaction wrote it.
  WITH locked AS (
    INSERT INTO subscriber_numbers AS number (hash, slot)
    SELECT DISTINCT ON (hash) hash, slot_of_digest(request.opt_out_digest)
    FROM unnest(requests) AS request, unnest(request.hashes) AS hash ORDER BY hash
    ON CONFLICT (hash) DO UPDATE SET slot = coalesce(excluded.slot, number.slot)
    RETURNING number.hash, number.call_at = '{}' AS is_new, CASE WHEN number.call_at <> '{}' THEN number END AS entry
  )
  SELECT array_agg(hash) FILTER (WHERE NOT is_new), array_agg(entry) FILTER (WHERE NOT is_new),
    array_agg(hash) FILTER (WHERE is_new)
  INTO known_hashes, known, new_hashes FROM locked;
  v_now := clock_timestamp();
  until := v_now + call_deadline(p_scale) + reservation_time();
  opted_out := ARRAY(SELECT digest FROM opt_outs WHERE digest IN (SELECT opt_out_digest FROM unnest(requests)));

  FOREACH request IN ARRAY requests LOOP
    outcome := evaluate_reservation(request,
      CASE WHEN request.hashes && known_hashes THEN known END,
      CASE WHEN request.hashes && reserved_hashes THEN reserved END, opted_out, v_now, p_scale);
    outcomes := outcomes || outcome;
    IF outcome.decision = 'reserved' AND outcome.token = request.token THEN
      reserved := reserved || request;
      reserved_hashes := reserved_hashes || request.hashes[1];
    ELSIF outcome.decision = 'reserved' THEN
      shared_tokens := shared_tokens || outcome.token;
    END IF;
  END LOOP;

  UPDATE subscriber_numbers AS number
  SET (lease_id, lease_until, lease_digest, call_at, call_service, call_lease_id, touched_at) =
    (SELECT after.lease_id, after.lease_until, after.lease_digest, after.call_at, after.call_service, after.call_lease_id,
       after.touched_at
     FROM with_call(number, call.service_id, call.token, v_now, until, call.key_digests[1], p_scale) AS after)
  FROM unnest(reserved) AS call WHERE number.hash = call.hashes[1];
  -- The call follows this request and not the first one, so it counts from now. While it has the lease, it is the last.
  IF shared_tokens <> '{}' THEN
    UPDATE subscriber_numbers AS number
    SET lease_until = until, call_at[array_position(number.call_lease_id, number.lease_id)] = v_now
    WHERE number.hash = ANY (known_hashes) AND number.lease_id = ANY (shared_tokens);
  END IF;
  -- The rows that were inserted to be locked and hold nothing.
  IF NOT new_hashes <@ reserved_hashes THEN
    DELETE FROM subscriber_numbers AS number WHERE number.hash = ANY (new_hashes) AND number.call_at = '{}';
  END IF;
  RETURN QUERY SELECT listed.place::integer, listed.decision, listed.retry_ms, listed.token
  FROM unnest(outcomes) WITH ORDINALITY AS listed(decision, retry_ms, token, place);
END
$$;

-- known: the rows of numbers that were called before, when one of them is this one. earlier: the requests of the same batch that
-- were reserved, when one of them is for this number.
CREATE OR REPLACE FUNCTION evaluate_reservation(
  request number_reservation, known subscriber_numbers[], earlier number_reservation[], opted_out bytea[], at timestamptz,
  scale float8
) RETURNS number_outcome
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  own subscriber_numbers[];
  shared_token bigint;
  limited number_decision;
BEGIN
  IF earlier IS NOT NULL THEN
    SELECT call.token INTO shared_token FROM unnest(earlier) AS call
    WHERE call.hashes[1] = ANY (request.hashes) AND call.key_digests[1] = ANY (request.key_digests);
    IF shared_token IS NULL THEN
      RETURN ('too-soon', extract(epoch FROM number_cooldown(scale)) * 1000, request.token)::number_outcome;
    END IF;
  ELSIF known IS NOT NULL THEN
    own := ARRAY(SELECT number FROM unnest(known) AS number WHERE number.hash = ANY (request.hashes));
    SELECT number.lease_id INTO shared_token FROM unnest(own) AS number
    WHERE number.lease_until > at AND number.lease_digest = ANY (request.key_digests);
  END IF;
  IF shared_token IS NOT NULL THEN
    RETURN ('reserved', NULL, shared_token)::number_outcome;
  END IF;
  IF request.opt_out_digest = ANY (opted_out) THEN
    RETURN ('opted-out', NULL, request.token)::number_outcome;
  END IF;
  IF own IS NOT NULL THEN
    limited := evaluate_number_limits(
      joined_number(own), request.service_id, request.calls_10_minutes, request.calls_day, at, scale, request.continues_lease);
  END IF;
  RETURN (coalesce(limited.decision, 'reserved'), limited.retry_ms, request.token)::number_outcome;
END
$$;

-- Calls that are over; or, given back, never took place.
CREATE OR REPLACE FUNCTION close_numbers(p_closes json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  closes CONSTANT number_close[] := ARRAY(SELECT json_populate_recordset(NULL::number_close, p_closes));
  close number_close;
BEGIN
  -- In order, so that two batches cannot deadlock.
  PERFORM FROM subscriber_numbers
  WHERE hash IN (SELECT hash FROM unnest(closes) AS listed, unnest(listed.hashes) AS hash) ORDER BY hash FOR UPDATE;
  UPDATE subscriber_numbers AS number SET lease_id = NULL, lease_until = NULL, lease_digest = NULL
  FROM unnest(closes) AS listed, unnest(listed.hashes) AS own_hash
  WHERE number.hash = own_hash AND number.lease_id = listed.lease_id;
  FOREACH close IN ARRAY closes LOOP
    CONTINUE WHEN NOT close.gives_back;
    UPDATE subscriber_numbers AS number SET (call_at, call_service, call_lease_id) =
      (SELECT after.call_at, after.call_service, after.call_lease_id FROM without_call(number, close.lease_id) AS after)
    WHERE number.hash = ANY (close.hashes) AND close.lease_id = ANY (number.call_lease_id);
    DELETE FROM subscriber_numbers WHERE hash = ANY (close.hashes) AND call_at = '{}';
  END LOOP;
END
$$;
