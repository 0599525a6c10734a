-- Starts a batch of inbound verifications. Accounts are locked in order and subscribers are taken in theirs, so that two
-- batches cannot deadlock.
CREATE OR REPLACE FUNCTION start_inbound_requests(p_requests jsonb, p_scale float8)
RETURNS TABLE (ord integer, decision text, id bigint, confirmation_number bigint, retry_ms float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off
AS $$
DECLARE
  listed record;
BEGIN
  PERFORM FROM accounts AS account
  WHERE account.id IN (SELECT (request -> 'request' ->> 'account_id')::integer FROM jsonb_array_elements(p_requests) AS request)
  ORDER BY account.id FOR UPDATE;
  -- While keys change, two processes may write one subscriber under two hashes, which no index can match: here one waits for
  -- the other. With one key there is nothing to wait for.
  PERFORM pg_advisory_xact_lock(1380533059, subscriber.key) FROM (
    SELECT DISTINCT hashtext((SELECT min(hash) FROM jsonb_array_elements_text(request -> 'hashes') AS hash)) AS key
    FROM jsonb_array_elements(p_requests) AS request WHERE jsonb_array_length(request -> 'hashes') > 1 ORDER BY 1) AS subscriber;
  FOR listed IN
    SELECT jsonb_populate_record(NULL::inbound_request, element) AS request, place::integer
    FROM jsonb_array_elements(p_requests) WITH ORDINALITY AS elements(element, place)
    ORDER BY (SELECT min(hash) FROM jsonb_array_elements_text(element -> 'hashes') AS hash)
  LOOP
    RETURN QUERY SELECT listed.place, started.* FROM start_inbound_request(listed.request, p_scale) AS started;
  END LOOP;
END
$$;

-- Starts one: limits first, then caps and money as for any call, then the first confirmation number that no active request of
-- the subscriber uses. The account's lock, which the session has, makes the count of its requests exact; the unique index makes
-- the choice exact: of two accounts that want one number at once, the second waits for the first to commit and takes the
-- next one.
--
-- Decisions: those of accept_calls and of evaluate_inbound_limits.
CREATE OR REPLACE FUNCTION start_inbound_request(
  p_inbound inbound_request, p_scale float8,
  OUT decision text, OUT id bigint, OUT confirmation_number bigint, OUT retry_ms float8)
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  v_now CONSTANT timestamptz := clock_timestamp();
  v_until CONSTANT timestamptz := v_now + make_interval(secs => p_inbound.inbound_seconds * p_scale);
  is_a_test CONSTANT boolean := (p_inbound.request ->> 'is_test')::boolean;
  started record;
  free record;
BEGIN
  SELECT limited.decision, limited.retry_ms INTO decision, retry_ms
  FROM evaluate_inbound_limits(p_inbound, v_now, p_scale) AS limited;
  IF decision IS NOT NULL THEN
    RETURN;
  END IF;

  -- In a block, so that an accept without a confirmation number is rolled back as a whole.
  BEGIN
    SELECT accepted.decision, accepted.id, accepted.retry_ms INTO started
    FROM accept_calls(json_build_array(p_inbound.request), p_scale) AS accepted;
    decision := started.decision;
    retry_ms := started.retry_ms;
    IF started.decision <> 'accepted' THEN
      -- Of a key that was used.
      id := started.id;
      RETURN;
    END IF;
    FOR free IN
      SELECT candidate.number, candidate.trunk
      FROM unnest(p_inbound.numbers, p_inbound.trunks) WITH ORDINALITY AS candidate(number, trunk, place)
      LEFT JOIN inbound_requests AS taken ON taken.subscriber_hash = ANY (p_inbound.hashes)
        AND taken.confirmation_number = candidate.number AND taken.is_active
      WHERE taken.id IS NULL OR is_a_test
      ORDER BY taken.id NULLS FIRST, candidate.place
    LOOP
      INSERT INTO inbound_requests (id, account_id, service_id, is_test, subscriber_hash, confirmation_number,
        callback_sealed, receiver_digest, until, test_call_at)
      VALUES (started.id, (p_inbound.request ->> 'account_id')::integer, (p_inbound.request ->> 'service_id')::integer,
        is_a_test, p_inbound.hashes[1], free.number, p_inbound.callback_sealed, p_inbound.receiver_digest, v_until,
        v_now + make_interval(secs => p_inbound.test_call_seconds * p_scale))
      ON CONFLICT (subscriber_hash, confirmation_number) WHERE is_active AND NOT is_test DO NOTHING;
      CONTINUE WHEN NOT FOUND;
      id := started.id;
      confirmation_number := free.number;
      UPDATE verifications AS verification
      SET start_until = v_until, end_until = v_until, trunk = free.trunk, caller_number = free.number
      WHERE verification.id = started.id;
      RETURN;
    END LOOP;
    RAISE EXCEPTION USING ERRCODE = 'RING2';
  EXCEPTION WHEN SQLSTATE 'RING2' THEN
    decision := 'no-number';
  END;
END
$$;

-- A subscriber's confirmation numbers are few and test numbers are free: both are limited, so that one account cannot use them
-- up. Decisions: inbound-limit · inbound-limit-account · tests-used-up (with the milliseconds to wait) · no-number; NULL:
-- it may start.
CREATE OR REPLACE FUNCTION evaluate_inbound_limits(
  p_inbound inbound_request, p_now timestamptz, p_scale float8, OUT decision text, OUT retry_ms float8)
LANGUAGE plpgsql
AS $$
DECLARE
  active_tests_max CONSTANT integer := 10;
  -- In ten seconds.
  tests_max CONSTANT integer := 10;
  account CONSTANT integer := (p_inbound.request ->> 'account_id')::integer;
  service CONSTANT integer := (p_inbound.request ->> 'service_id')::integer;
  of_service integer;
  of_account integer;
  recent integer;
  first_until timestamptz;
BEGIN
  IF (p_inbound.request ->> 'is_test')::boolean THEN
    -- Tests cost no money and call no phone, so nothing else limits them.
    SELECT count(*) FILTER (WHERE request.is_active AND request.until > p_now), count(*) FILTER (WHERE
      request.id >= (floor(extract(epoch FROM p_now - interval '10 seconds' * p_scale))::bigint - id_epoch()) << 23)
    INTO of_service, recent
    FROM inbound_requests AS request WHERE request.service_id = service AND request.is_test;
    IF of_service >= active_tests_max OR recent >= tests_max THEN
      decision := 'tests-used-up';
      retry_ms := 1000;
    END IF;
    RETURN;
  END IF;
  SELECT count(*) FILTER (WHERE request.service_id = service), count(*), min(request.until)
  INTO of_service, of_account, first_until FROM inbound_requests AS request
  WHERE request.subscriber_hash = ANY (p_inbound.hashes) AND request.account_id = account AND request.is_active
    AND request.until > p_now;
  IF of_service >= inbound_requests_max() OR of_account >= inbound_requests_per_account_max() THEN
    decision := CASE WHEN of_service >= inbound_requests_max() THEN 'inbound-limit' ELSE 'inbound-limit-account' END;
    retry_ms := extract(epoch FROM first_until - p_now) * 1000;
  -- A third of the numbers is left for other accounts that wait for the same subscriber.
  ELSIF of_account >= greatest(1, cardinality(p_inbound.numbers) * 2 / 3) THEN
    decision := 'no-number';
  END IF;
END
$$;
