-- One request to start a call, with everything that was found out about it outside. number_hash is empty when the limits of
-- its number are kept by another database, which has reserved the call already.
CREATE TYPE call_request AS (
  account_id integer,
  service_id integer,
  key_digest bytea,
  is_test boolean,
  mode verification_mode,
  phone_hash bytea,
  phone_mask text,
  number_hash bytea,
  country text,
  phone_info jsonb,
  code text,
  client_sealed bytea,
  unique_sealed bytea,
  price bigint,
  trunk text,
  caller_number bigint,
  calls_10_minutes integer,
  calls_day integer,
  hour_max integer,
  day_max integer,
  spend_max bigint
);

-- Accepts a batch of requests: locks accounts and numbers in their order, so that two batches cannot deadlock; then reads
-- what is newest; judges the requests one after another, because keys, caps, money and limits of one change what the next
-- may do; and writes all of it at once. A refused request has changed nothing when the next is judged.
--
-- Verdicts: accepted · exists (the id is the earlier one's) · cap-hour · cap-day · cap-spend · no-money · too-soon ·
-- used-up-… (with the milliseconds to wait).
CREATE FUNCTION accept_calls(p_requests jsonb, p_scale float8)
RETURNS TABLE (ord integer, verdict text, id bigint, balance_before bigint, retry_ms float8)
LANGUAGE plpgsql SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
#variable_conflict use_column
DECLARE
  r call_request[] := ARRAY(
    SELECT jsonb_populate_record(NULL::call_request, e)
    FROM jsonb_array_elements(p_requests) WITH ORDINALITY AS t(e, o) ORDER BY o);
  v_now timestamptz;
  account_ids integer[];
  balances bigint[];
  hashes bytea[];
  numbers subscriber_numbers[];
  usage_ids integer[];
  usages service_usage[];
  keys text[];
  key_ids bigint[];
  verdicts text[] := '{}';
  ids bigint[] := '{}';
  befores bigint[] := '{}';
  retries float8[] := '{}';
  q call_request;
  a integer;
  m integer;
  u integer;
  k integer;
  v text;
  j number_verdict;
  wait float8;
  new_id bigint;
  this_hour timestamptz;
  this_day timestamptz;
BEGIN
  SELECT array_agg(l.id), array_agg(l.balance) INTO account_ids, balances
  FROM (SELECT c.id, c.balance FROM accounts AS c
        WHERE c.id IN (SELECT account_id FROM unnest(r)) ORDER BY c.id FOR UPDATE) AS l;

  INSERT INTO subscriber_numbers (hash)
  SELECT DISTINCT number_hash FROM unnest(r) WHERE number_hash IS NOT NULL AND NOT is_test ORDER BY 1
  ON CONFLICT DO NOTHING;
  SELECT array_agg(l.hash), array_agg(l.n) INTO hashes, numbers
  FROM (SELECT s.hash, s AS n FROM subscriber_numbers AS s
        WHERE s.hash IN (SELECT number_hash FROM unnest(r) WHERE NOT is_test) ORDER BY s.hash FOR UPDATE) AS l;

  INSERT INTO service_usage (service_id) SELECT DISTINCT service_id FROM unnest(r) ORDER BY 1 ON CONFLICT DO NOTHING;
  SELECT array_agg(l.service_id), array_agg(l) INTO usage_ids, usages
  FROM service_usage AS l WHERE l.service_id IN (SELECT service_id FROM unnest(r));

  SELECT array_agg(i.service_id || encode(i.digest, 'hex')), array_agg(i.id) INTO keys, key_ids
  FROM idempotency_keys AS i
  WHERE (i.service_id, i.digest) IN (SELECT service_id, key_digest FROM unnest(r) WHERE key_digest IS NOT NULL);

  v_now := clock_timestamp();
  this_hour := date_trunc('hour', v_now);
  this_day := date_trunc('day', v_now, 'UTC');
  FOREACH q IN ARRAY r LOOP
    v := NULL;
    wait := NULL;
    new_id := NULL;
    a := array_position(account_ids, q.account_id);
    u := array_position(usage_ids, q.service_id);
    m := CASE WHEN q.is_test THEN NULL ELSE array_position(hashes, q.number_hash) END;

    k := array_position(keys, q.service_id || encode(q.key_digest, 'hex'));
    IF k IS NOT NULL THEN
      v := 'exists';
      new_id := key_ids[k];
    END IF;

    IF v IS NULL AND NOT q.is_test THEN
      IF usages[u].hour <> this_hour THEN
        usages[u].hour := this_hour;
        usages[u].hour_count := 0;
      END IF;
      IF usages[u].day <> this_day THEN
        usages[u].day := this_day;
        usages[u].day_count := 0;
        usages[u].day_spent := 0;
      END IF;
      v := CASE
        WHEN usages[u].hour_count >= q.hour_max THEN 'cap-hour'
        WHEN usages[u].day_count >= q.day_max THEN 'cap-day'
        WHEN usages[u].day_spent + q.price > q.spend_max THEN 'cap-spend'
        WHEN balances[a] < q.price THEN 'no-money'
      END;
      IF v IS NULL AND m IS NOT NULL THEN
        numbers[m] := without_lapsed(numbers[m], v_now);
        j := judge_number(numbers[m], q.service_id, q.calls_10_minutes, q.calls_day, v_now, p_scale);
        v := j.verdict;
        wait := j.retry_ms;
      END IF;
    END IF;

    befores := befores || balances[a];
    IF v IS NULL THEN
      v := 'accepted';
      new_id := next_id(q.account_id % 64);
      IF q.key_digest IS NOT NULL THEN
        keys := keys || (q.service_id || encode(q.key_digest, 'hex'));
        key_ids := key_ids || new_id;
      END IF;
      IF NOT q.is_test THEN
        balances[a] := balances[a] - q.price;
        usages[u].hour_count := usages[u].hour_count + 1;
        usages[u].day_count := usages[u].day_count + 1;
        usages[u].day_spent := usages[u].day_spent + q.price;
      END IF;
      usages[u].last_request_at := v_now;
      IF m IS NOT NULL THEN
        numbers[m] := with_call(numbers[m], q.service_id, new_id, v_now, v_now + interval '55 seconds' * p_scale, true,
          NULL, p_scale);
      END IF;
    END IF;
    verdicts := verdicts || v;
    ids := ids || new_id;
    retries := retries || wait;
  END LOOP;

  INSERT INTO verifications (id, account_id, service_id, mode, is_test, phone_hash, phone_mask, country, phone_info, code,
    client_sealed, unique_sealed, price, balance_before, start_until, end_until, trunk, caller_number)
  SELECT x.id, x.account_id, x.service_id, x.mode, x.is_test, x.phone_hash, x.phone_mask, x.country, x.phone_info, x.code,
    x.client_sealed, x.unique_sealed, CASE WHEN x.is_test THEN 0 ELSE x.price END, x.before,
    v_now + interval '10 seconds' * p_scale, v_now + interval '55 seconds' * p_scale, x.trunk, x.caller_number
  FROM ROWS FROM (unnest(r), unnest(verdicts), unnest(ids), unnest(befores)) AS x(account_id, service_id, key_digest,
    is_test, mode, phone_hash, phone_mask, number_hash, country, phone_info, code, client_sealed, unique_sealed, price, trunk,
    caller_number, calls_10_minutes, calls_day, hour_max, day_max, spend_max, verdict, id, before)
  WHERE x.verdict = 'accepted';

  INSERT INTO idempotency_keys (service_id, digest, id)
  SELECT x.service_id, x.key_digest, x.id
  FROM ROWS FROM (unnest(r), unnest(verdicts), unnest(ids)) AS x(account_id, service_id, key_digest, is_test, mode,
    phone_hash, phone_mask, number_hash, country, phone_info, code, client_sealed, unique_sealed, price, trunk, caller_number,
    calls_10_minutes, calls_day, hour_max, day_max, spend_max, verdict, id)
  WHERE x.verdict = 'accepted' AND x.key_digest IS NOT NULL;

  INSERT INTO ledger (id, sequence, account_id, from_pot, to_pot, amount)
  SELECT x.id, 1, x.account_id, 'available', 'held', x.price
  FROM ROWS FROM (unnest(r), unnest(verdicts), unnest(ids)) AS x(account_id, service_id, key_digest, is_test, mode,
    phone_hash, phone_mask, number_hash, country, phone_info, code, client_sealed, unique_sealed, price, trunk, caller_number,
    calls_10_minutes, calls_day, hour_max, day_max, spend_max, verdict, id)
  WHERE x.verdict = 'accepted' AND NOT x.is_test AND x.price > 0;

  UPDATE accounts AS c SET held = c.held + c.balance - w.balance, balance = w.balance
  FROM unnest(account_ids, balances) AS w(id, balance) WHERE c.id = w.id AND c.balance <> w.balance;

  UPDATE subscriber_numbers AS s SET (open_token, open_until, open_confirmed, open_digest, call_at, call_service,
      call_token, touched_at) =
    (w.open_token, w.open_until, w.open_confirmed, w.open_digest, w.call_at, w.call_service, w.call_token, w.touched_at)
  FROM unnest(numbers) AS w WHERE s.hash = w.hash AND s.touched_at <> w.touched_at;

  UPDATE service_usage AS s SET (hour, hour_count, day, day_count, day_spent, last_request_at) =
    (w.hour, w.hour_count, w.day, w.day_count, w.day_spent, w.last_request_at)
  FROM unnest(usages) AS w WHERE s.service_id = w.service_id AND s.last_request_at IS DISTINCT FROM w.last_request_at;

  RETURN QUERY SELECT w.o::integer, w.verdict, w.id, w.before, w.wait
  FROM unnest(verdicts, ids, befores, retries) WITH ORDINALITY AS w(verdict, id, before, wait, o);
END
$$;
REVOKE ALL ON FUNCTION accept_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION accept_calls TO ringproof_app;
