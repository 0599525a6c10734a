-- A worker claims attempt n of a call before it dials. Exactly one claim of an attempt wins, also when two are in one batch:
-- so places of the winners are returned, not IDs, with the milliseconds until the call must be over, the price, the
-- milliseconds since the accept, and whether a failed call is charged. The claim that won wins again, by its token: a worker
-- whose connection broke asks once more. It does so also after the start deadline, to end the call. The range of the IDs lets a kept
-- plan leave out the partitions of other days when it starts. A claim names it when its call is one of a ladder: without that it
-- does not win.
CREATE OR REPLACE FUNCTION claim_calls(p_claims jsonb) RETURNS TABLE (
  place integer, left_ms float8, price bigint, age_ms float8, charges_failed boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  lowest_id bigint := (p_claims -> 0 ->> 'id')::bigint;
  highest_id bigint := lowest_id;
  ids bigint[] := ARRAY[lowest_id];
  ladder_ids bigint[];
BEGIN
  -- A single row is locked by its update. Several are locked in order, and a call of a ladder before the ladder.
  IF jsonb_array_length(p_claims) > 1 OR p_claims -> 0 ? 'ladder' THEN
    SELECT min(claim.id), max(claim.id), array_agg(claim.id) INTO lowest_id, highest_id, ids
    FROM jsonb_to_recordset(p_claims) AS claim(id bigint);
    SELECT array_agg(locked.ladder_id) FILTER (WHERE locked.ladder_id IS NOT NULL) INTO ladder_ids
    FROM (SELECT call.ladder_id FROM verifications AS call
          WHERE call.id = ANY (ids) AND call.id BETWEEN lowest_id AND highest_id ORDER BY call.id FOR UPDATE) AS locked;
    IF ladder_ids IS NOT NULL THEN
      ladder_ids := lock_pending_ladders(ladder_ids);
    END IF;
  END IF;
  RETURN QUERY
  WITH claims AS (
    -- DISTINCT has the planner expect few: it would read all calls for the hundred that it expects otherwise.
    SELECT DISTINCT ON (claim.id, claim.attempt, claim.token) claim.*
    FROM ROWS FROM (jsonb_to_recordset(p_claims) AS (id bigint, attempt smallint, trunk text, caller_number bigint, token bigint))
      WITH ORDINALITY AS claim(id, attempt, trunk, caller_number, token, place)
    ORDER BY claim.id, claim.attempt, claim.token, claim.place
  )
  UPDATE verifications AS call
  SET state = 'dialling', attempt = claims.attempt, dialled_at = clock_timestamp(), trunk = claims.trunk,
    caller_number = claims.caller_number, claim_token = claims.token
  FROM claims
  WHERE call.id = claims.id AND call.id = ANY (ids) AND call.id BETWEEN lowest_id AND highest_id
    AND call.state IN ('accepted', 'dialling') AND call.rang_at IS NULL
    -- Of a ladder that is over nothing is dialled.
    AND (call.ladder_id IS NULL OR call.ladder_id = ANY (ladder_ids))
    AND (call.attempt = claims.attempt - 1 AND clock_timestamp() < call.start_until
      OR call.attempt = claims.attempt AND call.claim_token = claims.token)
  RETURNING claims.place::integer, (extract(epoch FROM call.end_until - clock_timestamp()) * 1000)::float8, call.price,
    (extract(epoch FROM clock_timestamp() - call.accepted_at) * 1000)::float8, call.charges_failed;
END
$$;

-- What the handset of a test call showed, and that it answered; NULL leaves what is known.
CREATE OR REPLACE FUNCTION note_test_call(p_id bigint, p_shown_caller bigint, p_is_answered boolean) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  UPDATE verifications SET shown_caller = coalesce(p_shown_caller, shown_caller),
    answered_at = CASE WHEN p_is_answered THEN coalesce(answered_at, clock_timestamp()) ELSE answered_at END
  WHERE id = p_id AND is_test AND state = 'dialling'
$$;

-- The phone rings: from here on there is no further attempt.
CREATE OR REPLACE FUNCTION note_rang(p_rang jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  lowest_id bigint := (p_rang -> 0 ->> 'id')::bigint;
  highest_id bigint := lowest_id;
  ids bigint[] := ARRAY[lowest_id];
BEGIN
  IF jsonb_array_length(p_rang) > 1 THEN
    SELECT min(rang.id), max(rang.id), array_agg(rang.id) INTO lowest_id, highest_id, ids
    FROM jsonb_to_recordset(p_rang) AS rang(id bigint);
    PERFORM FROM verifications WHERE id = ANY (ids) AND id BETWEEN lowest_id AND highest_id ORDER BY id FOR UPDATE;
  END IF;
  UPDATE verifications AS call SET rang_at = clock_timestamp()
  -- DISTINCT as in claim_calls.
  FROM (SELECT DISTINCT id, attempt FROM jsonb_to_recordset(p_rang) AS listed(id bigint, attempt smallint)) AS rang
  WHERE call.id = rang.id AND call.id = ANY (ids) AND call.id BETWEEN lowest_id AND highest_id AND call.attempt = rang.attempt
    AND call.state = 'dialling' AND call.rang_at IS NULL;
END
$$;
