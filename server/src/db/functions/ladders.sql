-- Starts ladders. A request is one of accept_calls, or, with a request in it, one of start_inbound_requests: the first call is accepted
-- like any other, and the ladder is written under its ID.
--
-- Locks are taken in the order verifications, accounts, numbers, ladders. accept_rung has the ladder before the number; that cannot
-- deadlock, because who wants both has the row of the account first.
--
-- Decisions: those of accept_calls and of start_inbound_requests · guesses-used-up.
CREATE OR REPLACE FUNCTION accept_ladders(p_requests jsonb, p_ladders jsonb, p_scale float8)
RETURNS TABLE (ord integer, decision text, id bigint, retry_ms float8, confirmation_number bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  ladders CONSTANT ladder_request[] := ARRAY(SELECT jsonb_populate_recordset(NULL::ladder_request, p_ladders));
  checks smallint[] := '{}';
  request jsonb;
  -- Places of the requests that may go on, by how their call starts.
  calls integer[] := '{}';
  waits integer[] := '{}';
BEGIN
  PERFORM FROM accounts AS account
  WHERE account.id IN (SELECT (call_of(element) ->> 'account_id')::integer FROM jsonb_array_elements(p_requests) AS element)
  ORDER BY account.id FOR UPDATE;
  FOR place IN 1 .. cardinality(ladders) LOOP
    request := p_requests -> (place - 1);
    checks := checks || checks_left_for(call_of(request), ladders[place], ladders[:place - 1], checks);
    IF checks[place] = 0 AND ladders[place].code IS NOT NULL THEN
      ord := place;
      SELECT used.id INTO id FROM idempotency_keys AS used WHERE used.service_id = (call_of(request) ->> 'service_id')::integer
        AND used.digest IN (SELECT digest::bytea FROM jsonb_array_elements_text(nullif(call_of(request) -> 'key_digests', 'null')) AS digest);
      decision := CASE WHEN id IS NULL THEN 'guesses-used-up' ELSE 'exists' END;
      RETURN NEXT;
    ELSIF request ? 'request' THEN
      waits := waits || place;
    ELSE
      calls := calls || place;
    END IF;
  END LOOP;
  RETURN QUERY
  WITH outcomes AS MATERIALIZED (
    SELECT calls[called.ord] AS place, called.decision, called.id, called.retry_ms, NULL::bigint AS confirmation_number
    FROM accept_calls((SELECT coalesce(json_agg(p_requests -> (place - 1) ORDER BY nth), '[]')
                       FROM unnest(calls) WITH ORDINALITY AS listed(place, nth)), p_scale) AS called
    UNION ALL
    SELECT waits[waiting.ord], waiting.decision, waiting.id, waiting.retry_ms, waiting.confirmation_number
    FROM start_inbound_requests((SELECT coalesce(jsonb_agg(p_requests -> (place - 1) ORDER BY nth), '[]')
                                 FROM unnest(waits) WITH ORDINALITY AS listed(place, nth)), p_scale) AS waiting
  ), written AS (
    INSERT INTO ladders (id, account_id, service_id, is_test, phone_hash, code, has_code, modes, modes_left, call_ids, checks_max,
      silence_seconds, vault_name, language, skipped, expires_at, due_at)
    SELECT outcome.id, call.account_id, call.service_id, call.is_test, call.phone_hash, asked.code, asked.code IS NOT NULL, asked.modes,
      array_remove(asked.modes, call.mode::text), ARRAY[outcome.id], checks[outcome.place], asked.silence_seconds * p_scale,
      asked.vault_name, asked.language, coalesce(asked.skipped, '[]'), until.at, until.at
    FROM outcomes AS outcome, jsonb_populate_record(NULL::call_request, call_of(p_requests -> (outcome.place - 1))) AS call,
      LATERAL (SELECT (ladders[outcome.place]).*) AS asked,
      LATERAL (SELECT clock_timestamp() + make_interval(secs => asked.ttl_seconds * p_scale) AS at) AS until
    WHERE outcome.decision = 'accepted'
  )
  SELECT place, outcomes.decision, outcomes.id, outcomes.retry_ms, outcomes.confirmation_number FROM outcomes;
END
$$;

-- The call in a request, which waits for the subscriber or not.
CREATE OR REPLACE FUNCTION call_of(request jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT coalesce(request -> 'request', request) $$;

-- How many codes may be checked: of those asked for, what is left of the guesses for this number in a day. A ladder that is pending
-- counts in full and one that is over with its wrong codes, so the sum can only fall while the account's row is locked. Its codes may
-- have been checked until its end: a ladder counts for so much longer. Earlier requests of the batch count as if they were accepted.
CREATE OR REPLACE FUNCTION checks_left_for(
  p_call jsonb, p_ladder ladder_request, p_earlier ladder_request[], p_checks smallint[]) RETURNS smallint
LANGUAGE sql STABLE
AS $$
  SELECT CASE
    WHEN p_ladder.code IS NULL THEN 0
    WHEN (p_call ->> 'is_test')::boolean THEN p_ladder.checks_max
    ELSE greatest(0, least(p_ladder.checks_max, guesses_per_day() - (
      SELECT coalesce(sum(CASE WHEN earlier.state = 'pending' THEN earlier.checks_max ELSE
        cardinality(earlier.check_keys) - (earlier.state = 'approved' AND earlier.approved_call IS NULL)::integer END), 0)
      FROM ladders AS earlier
      WHERE earlier.account_id = (p_call ->> 'account_id')::integer AND earlier.phone_hash = ANY (p_ladder.phone_hashes)
        AND earlier.id >= id_floor(clock_timestamp() - guess_window()) AND NOT earlier.is_test
    ) - (
      SELECT coalesce(sum(p_checks[place]), 0) FROM unnest(p_earlier) WITH ORDINALITY
        AS listed(modes, code, checks_max, phone_hashes, silence_seconds, ttl_seconds, vault_name, language, skipped, place)
      WHERE listed.phone_hashes && p_ladder.phone_hashes)))
  END::smallint
$$;

-- A further call of a ladder. The account's lock, then the ladder's: nothing approves or cancels the ladder between the look and the
-- accept. p_calls_before makes it idempotent: of any number of requests with the same one, one is accepted. p_mode is the mode that was
-- asked for, which an operator may have replaced for a provider.
--
-- Decisions: those of accept_calls and of start_inbound_requests · ladder-over · ladder-exists (the call that is there already) ·
-- no-channel-left · too-late.
CREATE OR REPLACE FUNCTION accept_rung(p_ladder bigint, p_calls_before integer, p_mode text, p_request jsonb, p_scale float8,
  OUT decision text, OUT id bigint, OUT retry_ms float8, OUT confirmation_number bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  ladder ladders;
  v_mode CONSTANT text := call_of(p_request) ->> 'mode';
BEGIN
  PERFORM FROM accounts AS account WHERE account.id = (call_of(p_request) ->> 'account_id')::integer FOR UPDATE;
  SELECT * INTO ladder FROM ladders AS own WHERE own.id = p_ladder AND own.account_id = (call_of(p_request) ->> 'account_id')::integer
  FOR UPDATE;
  decision := CASE
    WHEN ladder.id IS NULL OR ladder.state <> 'pending' OR ladder.expires_at <= clock_timestamp() THEN 'ladder-over'
    WHEN cardinality(ladder.call_ids) <> p_calls_before THEN 'ladder-exists'
    WHEN NOT p_mode = ANY (ladder.modes) OR cardinality(ladder.call_ids) >= ladder_calls_max()
      OR (SELECT count(*) FROM verifications AS call WHERE call.id = ANY (ladder.call_ids) AND call.mode::text = v_mode)
        >= CASE v_mode WHEN 'inbound' THEN 1 ELSE 2 END THEN 'no-channel-left'
    WHEN ladder.expires_at < clock_timestamp() + ladder_last_call(p_scale) THEN 'too-late'
  END;
  IF decision IS NOT NULL THEN
    id := CASE decision WHEN 'ladder-exists' THEN ladder.call_ids[p_calls_before + 1] END;
    RETURN;
  END IF;
  IF p_request ? 'request' THEN
    SELECT waiting.decision, waiting.id, waiting.retry_ms, waiting.confirmation_number
    INTO decision, id, retry_ms, confirmation_number
    FROM start_inbound_requests(jsonb_build_array(p_request), p_scale) AS waiting;
  ELSE
    SELECT called.decision, called.id, called.retry_ms INTO decision, id, retry_ms
    FROM accept_calls(json_build_array(p_request || jsonb_build_object('continues_lease', ladder.continues_lease)), p_scale) AS called;
  END IF;
  IF decision = 'accepted' THEN
    UPDATE ladders AS own SET call_ids = own.call_ids || accept_rung.id, due_at = own.expires_at,
      waivers = own.waivers + (own.continues_lease IS NOT NULL)::integer, continues_lease = NULL,
      modes_left = array_remove(array_remove(own.modes_left, p_mode), v_mode)
    WHERE own.id = p_ladder;
  END IF;
END
$$;

-- Evaluates a code. One row is locked, and nothing else: a check never waits for an account, and checks of two ladders never for
-- each other. A key that was seen gets its first result again. Results: approved · wrong · not-called · over · key-reused · unknown.
CREATE OR REPLACE FUNCTION check_ladder(p_service integer, p_id bigint, p_code text, p_key bytea,
  OUT result text, OUT state ladder_state, OUT checks_left integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  ladder ladders;
  seen integer;
  v_now timestamptz;
BEGIN
  SELECT * INTO ladder FROM ladders WHERE ladders.id = p_id AND ladders.service_id = p_service FOR UPDATE;
  IF NOT FOUND THEN
    result := 'unknown';
    RETURN;
  END IF;
  v_now := clock_timestamp();
  state := ladder.state;
  seen := (SELECT place FROM unnest(ladder.check_keys) WITH ORDINALITY AS listed(key, place)
           WHERE substring(key FOR 16) = substring(p_key FOR 16));
  IF seen IS NOT NULL THEN
    checks_left := ladder.checks_max - seen;
    -- Only the last one can have been right.
    result := CASE WHEN ladder.check_keys[seen] <> p_key THEN 'key-reused'
      WHEN state = 'approved' AND ladder.approved_call IS NULL AND seen = cardinality(ladder.check_keys) THEN 'approved'
      ELSE 'wrong' END;
    RETURN;
  END IF;
  IF state = 'pending' AND ladder.expires_at <= v_now THEN
    state := 'expired';
    UPDATE ladders SET state = 'expired', ended_at = v_now, code = NULL WHERE ladders.id = p_id;
  END IF;
  checks_left := ladder.checks_max - cardinality(ladder.check_keys);
  result := CASE WHEN state <> 'pending' THEN 'over' WHEN ladder.code IS NULL OR NOT EXISTS (
    SELECT FROM verifications AS call
    WHERE call.id = ANY (ladder.call_ids) AND call.mode <> 'inbound' AND call.dialled_at IS NOT NULL) THEN 'not-called' END;
  IF result IS NOT NULL THEN
    RETURN;
  END IF;
  checks_left := checks_left - 1;
  result := CASE WHEN ladder.code = p_code THEN 'approved' ELSE 'wrong' END;
  state := CASE WHEN result = 'approved' THEN 'approved' WHEN checks_left = 0 THEN 'failed' ELSE 'pending' END;
  UPDATE ladders SET check_keys = ladders.check_keys || p_key, state = check_ladder.state,
    reason = CASE check_ladder.state WHEN 'failed' THEN 'checks_used_up' END,
    ended_at = CASE WHEN check_ladder.state <> 'pending' THEN v_now END,
    code = CASE WHEN check_ladder.state = 'pending' THEN ladders.code END
  WHERE ladders.id = p_id;
END
$$;

-- What moves a ladder beside the checks: the ends of its calls, a cancel, its time.

-- Whether somebody may know the code now: a phone that showed our number or may have shown it, or a person who was spoken to.
CREATE OR REPLACE FUNCTION is_delivered(call verifications) RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE
    WHEN call.mode = 'inbound' THEN false
    WHEN call.mode = 'voice' THEN coalesce(call.reason IN ('spoken', 'hung-up-early', 'answered-unseen'), false)
    ELSE call.rang_at IS NOT NULL
      OR coalesce(call.reason IN ('rang', 'rejected', 'announcement', 'answered-unseen', 'broke-off', 'no-ringing'), false)
  END
$$;

-- Calls of ladders have ended, in this transaction. A call from the subscriber approves. When the newest one failed, the next one is due
-- now; when it reached the phone, after the silence, if the ladder has one.
CREATE OR REPLACE FUNCTION note_ladder_calls(p_calls bigint[], p_ends call_end[]) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
  WITH ended AS (
    SELECT DISTINCT ON (call.ladder_id) call.ladder_id, call.id, call.state, call.sip_status, call.reason = 'called' AS has_called
    FROM verifications AS call WHERE call.id = ANY (p_calls) AND call.ended_at IS NOT NULL
    ORDER BY call.ladder_id, (call.reason = 'called') DESC, call.id DESC
  ), locked AS (
    SELECT ladder.id FROM ladders AS ladder WHERE ladder.id IN (SELECT ladder_id FROM ended) AND ladder.state = 'pending'
    ORDER BY ladder.id FOR UPDATE
  ), moved AS (
    SELECT ladder.id, CASE
        WHEN ended.has_called THEN 'approved'
        -- The test number that fails does so by every mode.
        WHEN ended.state = 'failed' AND ended.sip_status IN (404, 410, 604) AND NOT ladder.is_test AND ended.id = ladder.call_ids[cardinality(ladder.call_ids)]
          AND NOT EXISTS (SELECT FROM verifications AS call WHERE call.id = ANY (ladder.call_ids) AND is_delivered(call)) THEN 'failed'
        ELSE 'pending' END::ladder_state AS state, ended.id AS call_id, ended.state = 'failed' AS has_failed
    FROM ended JOIN ladders AS ladder ON ladder.id = ended.ladder_id
    WHERE ladder.id IN (SELECT id FROM locked)
  )
  UPDATE ladders AS ladder SET state = moved.state,
    continues_lease = CASE WHEN ladder.waivers < ladder_waivers_max() THEN
      (SELECT silent.number_lease_id FROM unnest(p_ends) AS silent WHERE silent.id = moved.call_id AND silent.is_silent LIMIT 1) END,
    ended_at = CASE WHEN moved.state <> 'pending' THEN clock_timestamp() END,
    reason = CASE moved.state WHEN 'failed' THEN 'number_does_not_exist' END,
    approved_call = CASE moved.state WHEN 'approved' THEN moved.call_id END,
    code = CASE moved.state WHEN 'pending' THEN ladder.code END,
    due_at = CASE
      -- With no mode left, the ladder may end with an older call that waited.
      WHEN moved.call_id <> ladder.call_ids[cardinality(ladder.call_ids)] THEN
        CASE WHEN ladder.modes_left = '{}' THEN clock_timestamp() ELSE ladder.due_at END
      WHEN moved.has_failed THEN clock_timestamp()
      ELSE least(ladder.expires_at, clock_timestamp() + make_interval(secs => ladder.silence_seconds)) END
  FROM moved WHERE ladder.id = moved.id AND ladder.state = 'pending'
$$;

-- Calls of ladders were not dispatched, in this transaction: a ladder without another call has never been, and any other is as it was
-- before the call, and tries again in a moment. A ladder that a retry has returned stays.
CREATE OR REPLACE FUNCTION undo_ladder_calls(p_calls bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off
AS $$
BEGIN
  DELETE FROM ladders AS ladder USING verifications AS call
  WHERE call.id = ANY (p_calls) AND ladder.id = call.id AND cardinality(ladder.call_ids) = 1 AND NOT call.pinned;
  UPDATE ladders AS ladder SET call_ids = array_remove(ladder.call_ids, call.id),
    modes_left = call.mode::text || array_remove(ladder.modes_left, call.mode::text),
    due_at = least(ladder.expires_at, clock_timestamp() + make_interval(secs => 1))
  FROM verifications AS call WHERE call.id = ANY (p_calls) AND ladder.id = call.ladder_id AND ladder.id <> call.id
    AND ladder.state = 'pending';
END
$$;

-- A mode by which it cannot call. For a worker, which names the calls that it has seen, the next mode is due now, unless another call
-- has come since.
CREATE OR REPLACE FUNCTION skip_ladder_mode(p_id bigint, p_mode text, p_code text, p_calls integer) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off
AS $$
  UPDATE ladders SET skipped = skipped || jsonb_build_object('mode', p_mode, 'code', p_code),
    modes_left = array_remove(modes_left, p_mode),
    due_at = CASE WHEN cardinality(call_ids) = p_calls AND due_at < expires_at THEN clock_timestamp() ELSE due_at END
  WHERE id = p_id AND state = 'pending' AND p_mode = ANY (modes_left)
$$;

-- The same: nothing is due any more when another call has come, or this one has reached the phone.
CREATE OR REPLACE FUNCTION delay_ladder(p_id bigint, p_calls integer, p_wait_ms float8) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off
AS $$
  UPDATE ladders SET due_at = least(expires_at, clock_timestamp() + make_interval(secs => p_wait_ms / 1000))
  WHERE id = p_id AND state = 'pending' AND cardinality(call_ids) = p_calls AND due_at < expires_at
$$;

-- Those of these ladders that are pending, locked until the end of the transaction: nothing approves or cancels them meanwhile.
CREATE OR REPLACE FUNCTION lock_pending_ladders(p_ids bigint[]) RETURNS bigint[]
LANGUAGE sql SET search_path = public, pg_temp SET enable_seqscan = off
AS $$
  SELECT array_agg(locked.id) FROM (
    SELECT ladder.id, ladder.state FROM ladders AS ladder WHERE ladder.id = ANY (p_ids) ORDER BY ladder.id FOR SHARE) AS locked
  WHERE locked.state = 'pending'
$$;

-- In the order of end_calls: verifications, account, ladder.
CREATE OR REPLACE FUNCTION cancel_ladder(p_service integer, p_id bigint, OUT state ladder_state, OUT is_changed boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  waiting bigint;
BEGIN
  SELECT call.id INTO waiting FROM ladders AS ladder JOIN verifications AS call ON call.id = ANY (ladder.call_ids)
  WHERE ladder.id = p_id AND ladder.service_id = p_service AND ladder.state = 'pending' AND call.mode = 'inbound'
    AND call.state = 'accepted';
  IF waiting IS NOT NULL THEN
    PERFORM end_calls(jsonb_build_array(
      jsonb_build_object('id', waiting, 'attempt', 0, 'succeeded', false, 'reason', 'not-called')));
    UPDATE inbound_requests SET is_active = false WHERE id = waiting;
  END IF;
  -- First the lock: an update that waits for a claim has read the clock before it.
  PERFORM FROM ladders WHERE ladders.id = p_id AND ladders.service_id = p_service FOR UPDATE;
  UPDATE ladders SET state = 'cancelled', ended_at = clock_timestamp(), code = NULL
  WHERE ladders.id = p_id AND ladders.service_id = p_service AND ladders.state = 'pending' RETURNING ladders.state INTO state;
  is_changed := FOUND;
  IF NOT FOUND THEN
    SELECT ladders.state INTO state FROM ladders WHERE ladders.id = p_id AND ladders.service_id = p_service;
  END IF;
END
$$;

-- What a worker does next: ends what has expired or has no call left, and leases ladders whose next call is due. A worker that dies
-- has lost its lease after so many seconds.
CREATE OR REPLACE FUNCTION take_due_ladders(p_limit integer, p_lease_seconds float8)
RETURNS TABLE (id bigint, outcome text, calls integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH due AS (
    SELECT ladder.id, CASE
        WHEN ladder.expires_at <= clock_timestamp() THEN 'expired'
        WHEN ladder.modes_left <> '{}' AND cardinality(ladder.call_ids) < ladder_calls_max() THEN 'next'
        WHEN EXISTS (SELECT FROM verifications AS call WHERE call.id = ANY (ladder.call_ids)
          AND (is_delivered(call) OR call.ended_at IS NULL)) THEN 'pending'
        ELSE 'failed' END AS outcome
    FROM ladders AS ladder WHERE ladder.state = 'pending' AND ladder.due_at <= clock_timestamp()
    ORDER BY ladder.due_at LIMIT p_limit FOR UPDATE SKIP LOCKED
  )
  UPDATE ladders AS ladder SET
    state = CASE WHEN due.outcome IN ('expired', 'failed') THEN due.outcome ELSE 'pending' END::ladder_state,
    reason = CASE due.outcome WHEN 'failed' THEN 'unreachable' END,
    ended_at = CASE WHEN due.outcome IN ('expired', 'failed') THEN clock_timestamp() END,
    code = CASE WHEN due.outcome IN ('next', 'pending') THEN ladder.code END,
    due_at = CASE due.outcome
      WHEN 'next' THEN least(ladder.expires_at, clock_timestamp() + make_interval(secs => p_lease_seconds))
      ELSE ladder.expires_at END
  FROM due WHERE ladder.id = due.id
  RETURNING ladder.id, due.outcome, cardinality(ladder.call_ids);
END
$$;
