-- Starts a wait: caps and money are evaluated as those of any call, then the first number is taken that no open wait of the
-- subscriber uses. The account's lock, which the caller has, makes the count of its waits exact, the unique index the
-- choice: of two accounts that want one number at once, the second waits for the first to commit and takes the next one.
--
-- A subscriber's numbers are few, and test numbers are free: both are bounded, so that one account cannot use them up.
--
-- Decisions: those of accept_calls, and inbound-limit, inbound-limit-account, tests-used-up (with the milliseconds to wait),
-- no-number.
CREATE OR REPLACE FUNCTION start_inbound_request(
  p inbound_request, p_scale float8,
  OUT decision text, OUT id bigint, OUT confirmation_number bigint, OUT retry_ms float8)
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  inbound_requests_max CONSTANT integer := 5;
  inbound_requests_of_account_max CONSTANT integer := 10;
  tests_open_max CONSTANT integer := 10;
  -- In ten seconds.
  tests_max CONSTANT integer := 10;
  account integer := (p.request ->> 'account_id')::integer;
  service integer := (p.request ->> 'service_id')::integer;
  is_a_test boolean := (p.request ->> 'is_test')::boolean;
  of_service integer;
  of_account integer;
  recent integer;
  first_until timestamptz;
  started record;
  free record;
  v_now timestamptz;
  v_until timestamptz;
BEGIN
  v_now := clock_timestamp();
  v_until := v_now + make_interval(secs => p.inbound_seconds * p_scale);
  IF is_a_test THEN
    -- Tests cost no money and call no phone, so nothing else bounds them.
    SELECT count(*) FILTER (WHERE w.is_active AND w.until > v_now), count(*) FILTER (WHERE
      w.id >= (floor(extract(epoch FROM v_now - interval '10 seconds' * p_scale))::bigint - 1767225600) << 23)
    INTO of_service, recent FROM inbound_requests AS w WHERE w.service_id = service AND w.is_test;
    IF of_service >= tests_open_max OR recent >= tests_max THEN
      decision := 'tests-used-up';
      retry_ms := 1000;
      RETURN;
    END IF;
  ELSE
    SELECT count(*) FILTER (WHERE w.service_id = service), count(*), min(w.until)
    INTO of_service, of_account, first_until FROM inbound_requests AS w
    WHERE w.subscriber_hash = ANY (p.hashes) AND w.account_id = account AND w.is_active AND w.until > v_now;
    IF of_service >= inbound_requests_max OR of_account >= inbound_requests_of_account_max THEN
      decision := CASE WHEN of_service >= inbound_requests_max THEN 'inbound-limit' ELSE 'inbound-limit-account' END;
      retry_ms := extract(epoch FROM first_until - v_now) * 1000;
      RETURN;
    END IF;
    -- A third of the numbers is left for other accounts that wait for the same subscriber.
    IF of_account >= greatest(1, cardinality(p.numbers) * 2 / 3) THEN
      decision := 'no-number';
      RETURN;
    END IF;
  END IF;

  -- A block of its own, so that an accept without a number is taken back whole.
  BEGIN
    SELECT c.decision, c.id, c.retry_ms INTO started FROM accept_calls(jsonb_build_array(p.request), p_scale) AS c;
    decision := started.decision;
    retry_ms := started.retry_ms;
    IF started.decision <> 'accepted' THEN
      RETURN;
    END IF;
    FOR free IN
      SELECT c.number, c.trunk
      FROM unnest(p.numbers, p.trunks) WITH ORDINALITY AS c(number, trunk, o)
      LEFT JOIN inbound_requests AS w
        ON w.subscriber_hash = ANY (p.hashes) AND w.confirmation_number = c.number AND w.is_active
      WHERE w.id IS NULL OR is_a_test
      ORDER BY w.id NULLS FIRST, c.o
    LOOP
      INSERT INTO inbound_requests (id, account_id, service_id, is_test, subscriber_hash, confirmation_number, callback_sealed, receiver_digest,
        until, test_call_at)
      VALUES (started.id, account, service, is_a_test, p.hashes[1], free.number, p.callback_sealed, p.receiver_digest, v_until,
        v_now + make_interval(secs => p.test_call_seconds * p_scale))
      ON CONFLICT (subscriber_hash, confirmation_number) WHERE is_active AND NOT is_test DO NOTHING;
      CONTINUE WHEN NOT FOUND;
      id := started.id;
      confirmation_number := free.number;
      UPDATE verifications AS v
      SET start_until = v_until, end_until = v_until, trunk = free.trunk, caller_number = free.number
      WHERE v.id = started.id;
      RETURN;
    END LOOP;
    RAISE EXCEPTION USING ERRCODE = 'RING1';
  EXCEPTION WHEN SQLSTATE 'RING1' THEN
    decision := 'no-number';
  END;
END
$$;

-- Starts a batch of waits. Accounts are locked in their order and subscribers come in theirs, so that two batches cannot
-- deadlock.
CREATE OR REPLACE FUNCTION start_inbound_requests(p_requests jsonb, p_scale float8)
RETURNS TABLE (ord integer, decision text, id bigint, confirmation_number bigint, retry_ms float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  w record;
BEGIN
  PERFORM FROM accounts AS a
  WHERE a.id IN (SELECT (e -> 'request' ->> 'account_id')::integer FROM jsonb_array_elements(p_requests) AS e)
  ORDER BY a.id FOR UPDATE;
  -- While keys change, two processes may write one subscriber under two hashes, which no index holds together: they wait for
  -- each other here. With one key there is nothing to wait for.
  PERFORM pg_advisory_xact_lock(1380533059, l.key) FROM (
    SELECT DISTINCT hashtext((SELECT min(h) FROM jsonb_array_elements_text(e -> 'hashes') AS h)) AS key
    FROM jsonb_array_elements(p_requests) AS e WHERE jsonb_array_length(e -> 'hashes') > 1 ORDER BY 1) AS l;
  FOR w IN
    SELECT jsonb_populate_record(NULL::inbound_request, e) AS wish, o::integer AS o
    FROM jsonb_array_elements(p_requests) WITH ORDINALITY AS t(e, o)
    ORDER BY (SELECT min(h) FROM jsonb_array_elements_text(e -> 'hashes') AS h)
  LOOP
    RETURN QUERY SELECT w.o, s.* FROM start_inbound_request(w.wish, p_scale) AS s;
  END LOOP;
END
$$;
