-- Accepts a batch of requests to start a call, in three steps: lock and read what they need, evaluate them, write the result.
-- The last step is here, because a function call and a statement more would cost a single request a seventh of its time.
-- Requests are evaluated one after another, because the idempotency key, caps, money and limits of one change what the next
-- may do. A refused request changes nothing.
--
-- A batch costs as much as a dozen requests in it, however few there are, and most of that is the start and the end of its
-- statements: so there are few of them. The steps have no SET clauses and run with those of accept_calls.
--
-- Decisions: accepted · exists (the ID is that of the earlier verification) · opted-out · cap-hour · cap-day · cap-spend ·
-- cap-prefix · no-money · too-soon · used-up-… (caps, too-soon and used-up-… with the milliseconds to wait).
CREATE OR REPLACE FUNCTION accept_calls(p_requests json, p_scale float8)
RETURNS TABLE (ord integer, decision text, id bigint, balance_before bigint, retry_ms float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_memoize = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  requests CONSTANT call_request[] := ARRAY(SELECT json_populate_recordset(NULL::call_request, p_requests));
  batch CONSTANT call_batch := lock_call_batch(requests);
  outcomes CONSTANT call_outcomes := evaluate_call_batch(requests, batch, p_scale);
  at CONSTANT timestamptz := batch.evaluated_at;
  call_until CONSTANT timestamptz := at + call_deadline(p_scale);
  this_hour CONSTANT timestamptz := date_trunc('hour', at);
BEGIN
  RETURN QUERY
  WITH accepted AS MATERIALIZED (
    SELECT listed.* FROM ROWS FROM (unnest(requests), unnest(outcomes.decisions), unnest(outcomes.ids),
      unnest(outcomes.balances_before)) AS listed(account_id, service_id, key_digests, is_test, mode, phone_hash, person_sealed,
      number_hashes, country, phone_info, code, price, trunk, caller_number, calls_10_minutes, calls_day, hour_max, day_max,
      spend_max, opt_out_digest, prefix, prefix_max, charges_failed, client_digest, ladder_id, continues_lease, decision, id,
      balance_before)
    WHERE listed.decision = 'accepted'
  ), created AS (
    INSERT INTO verifications (id, account_id, service_id, mode, is_test, phone_hash, person_sealed, country, prefix,
      phone_info, code, price, balance_before, start_until, end_until, trunk, caller_number, charges_failed,
      client_digest, ladder_id)
    SELECT id, account_id, service_id, mode, is_test, phone_hash, person_sealed, country, prefix, phone_info, code,
      CASE WHEN is_test THEN 0 ELSE price END, balance_before, at + start_deadline(p_scale), call_until, trunk,
      caller_number, coalesce(charges_failed, false), client_digest, coalesce(nullif(ladder_id, 0), ladder_id + id)
    FROM accepted
  ), keyed AS (
    INSERT INTO idempotency_keys (service_id, digest, id)
    SELECT service_id, key_digests[1], id FROM accepted WHERE key_digests IS NOT NULL
  ), held AS (
    INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
    SELECT id, 1, account_id, 'available', 'held', price FROM accepted WHERE NOT is_test AND price > 0
  ), moved AS (
    UPDATE accounts AS account SET held = account.held + account.balance - after.balance, balance = after.balance
    FROM unnest(batch.account_ids, outcomes.balances) AS after(id, balance)
    WHERE account.id = after.id AND account.balance <> after.balance
  ), called AS (
    UPDATE subscriber_numbers AS number SET (lease_id, lease_until, lease_digest, call_at, call_service, call_lease_id,
        touched_at) =
      (SELECT after.lease_id, after.lease_until, after.lease_digest, after.call_at, after.call_service, after.call_lease_id,
         after.touched_at
       FROM with_call(number, accepted.service_id, accepted.id, at, call_until, NULL, p_scale) AS after)
    FROM accepted WHERE number.hash = accepted.number_hashes[1] AND NOT accepted.is_test
  ), counted AS (
    INSERT INTO service_usage (service_id, hour, hour_count, day, day_count, day_spent, last_request_at)
    SELECT usage.service_id, this_hour, usage.hour_count + usage.calls, date_trunc('day', at, 'UTC'),
      usage.day_count + usage.calls, usage.day_spent, at
    FROM unnest(batch.service_ids, batch.hour_counts, batch.day_counts, outcomes.day_spents, outcomes.service_calls)
      AS usage(service_id, hour_count, day_count, day_spent, calls)
    WHERE usage.service_id = ANY (ARRAY(SELECT service_id FROM accepted)) ORDER BY usage.service_id
    ON CONFLICT (service_id) DO UPDATE SET (hour, hour_count, day, day_count, day_spent, last_request_at) =
      (excluded.hour, excluded.hour_count, excluded.day, excluded.day_count, excluded.day_spent, excluded.last_request_at)
  ), counted_prefixes AS (
    INSERT INTO prefix_usage AS usage (service_id, prefix, hour, hour_count)
    SELECT service_id, prefix, this_hour, count(*) FROM accepted
    WHERE prefix_max IS NOT NULL AND NOT is_test GROUP BY service_id, prefix
    ON CONFLICT (service_id, prefix) DO UPDATE SET hour = excluded.hour,
      hour_count = CASE WHEN usage.hour = excluded.hour THEN usage.hour_count ELSE 0 END + excluded.hour_count
  )
  SELECT listed.place::integer, listed.decision, listed.id, listed.balance_before, listed.retry_ms
  FROM unnest(outcomes.decisions, outcomes.ids, outcomes.balances_before, outcomes.retries_ms) WITH ORDINALITY
    AS listed(decision, id, balance_before, retry_ms, place);

  -- The rows that were inserted to be locked and were not called.
  IF NOT batch.new_hashes <@ outcomes.called_hashes THEN
    DELETE FROM subscriber_numbers AS number WHERE number.hash = ANY (batch.new_hashes) AND number.call_at = '{}';
  END IF;
END
$$;

-- Locks accounts and then numbers, each in order, so that two batches cannot deadlock. Then reads what is newest.
CREATE OR REPLACE FUNCTION lock_call_batch(requests call_request[]) RETURNS call_batch
LANGUAGE plpgsql
AS $$
DECLARE
  batch call_batch;
  this_hour timestamptz;
  this_day timestamptz;
  has_prefixes boolean;
  has_keys boolean;
BEGIN
  SELECT array_agg(locked.id), array_agg(locked.balance) INTO batch.account_ids, batch.balances
  FROM (SELECT account.id, account.balance FROM accounts AS account
        WHERE account.id IN (SELECT account_id FROM unnest(requests)) ORDER BY account.id FOR UPDATE) AS locked;
  -- An update that changes nothing locks the row and returns its newest version, whichever transaction wrote it.
  WITH locked AS (
    INSERT INTO subscriber_numbers AS number (hash, slot)
    SELECT DISTINCT ON (hash) hash, slot_of_digest(opt_out_digest)
    FROM unnest(requests), unnest(number_hashes) AS hash WHERE NOT is_test ORDER BY hash
    ON CONFLICT (hash) DO UPDATE SET slot = coalesce(excluded.slot, number.slot)
    RETURNING number.hash, number.call_at = '{}' AS is_new, CASE WHEN number.call_at <> '{}' THEN number END AS entry
  )
  SELECT array_agg(hash) FILTER (WHERE NOT is_new), array_agg(entry) FILTER (WHERE NOT is_new),
    array_agg(hash) FILTER (WHERE is_new)
  INTO batch.number_hashes, batch.numbers, batch.new_hashes FROM locked;

  batch.evaluated_at := clock_timestamp();
  this_hour := date_trunc('hour', batch.evaluated_at);
  this_day := date_trunc('day', batch.evaluated_at, 'UTC');
  batch.hour_left_ms := extract(epoch FROM this_hour + interval '1 hour' - batch.evaluated_at) * 1000;
  SELECT array_agg(service_id), array_agg(CASE WHEN usage.hour = this_hour THEN usage.hour_count ELSE 0 END),
    array_agg(CASE WHEN usage.day = this_day THEN usage.day_count ELSE 0 END),
    array_agg(CASE WHEN usage.day = this_day THEN usage.day_spent ELSE 0 END),
    (SELECT array_agg(digest) FROM opt_outs WHERE digest = ANY (ARRAY(SELECT opt_out_digest FROM unnest(requests))))
  INTO batch.service_ids, batch.hour_counts, batch.day_counts, batch.day_spents, batch.opted_out
  FROM (SELECT DISTINCT service_id FROM unnest(requests)) AS service LEFT JOIN service_usage AS usage USING (service_id);
  SELECT bool_or(prefix_max IS NOT NULL), bool_or(key_digests IS NOT NULL) INTO has_prefixes, has_keys FROM unnest(requests);
  IF has_prefixes THEN
    SELECT array_agg(capped.service_id || ' ' || capped.prefix),
      array_agg(CASE WHEN usage.hour = this_hour THEN usage.hour_count ELSE 0 END)
    INTO batch.prefix_keys, batch.prefix_counts
    FROM (SELECT DISTINCT service_id, prefix FROM unnest(requests) WHERE prefix_max IS NOT NULL) AS capped
    LEFT JOIN prefix_usage AS usage USING (service_id, prefix);
  END IF;
  IF has_keys THEN
    SELECT array_agg(used.service_id || encode(used.digest, 'hex')), array_agg(used.id)
    INTO batch.idempotency_keys, batch.idempotency_ids
    FROM idempotency_keys AS used
    WHERE (used.service_id, used.digest) IN (
      SELECT service_id, unnest(key_digests) FROM unnest(requests));
  END IF;
  RETURN batch;
END
$$;

-- Until the window of a cap ends.
CREATE OR REPLACE FUNCTION cap_left_ms(decision text, batch call_batch) RETURNS float8
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE WHEN decision IN ('cap-day', 'cap-spend')
    THEN extract(epoch FROM date_trunc('day', batch.evaluated_at, 'UTC') + interval '24 hours' - batch.evaluated_at) * 1000
    ELSE batch.hour_left_ms
  END;
$$;

-- Changes plain arrays, in place; a row in an array would be copied at every change.
CREATE OR REPLACE FUNCTION evaluate_call_batch(requests call_request[], batch call_batch, scale float8) RETURNS call_outcomes
LANGUAGE plpgsql
AS $$
DECLARE
  -- As they are after the requests that were evaluated so far.
  balances bigint[] := batch.balances;
  service_calls integer[] := array_fill(0, ARRAY[coalesce(cardinality(batch.service_ids), 0)]);
  day_spents bigint[] := batch.day_spents;
  prefix_counts integer[] := batch.prefix_counts;
  keys text[] := batch.idempotency_keys;
  key_ids bigint[] := batch.idempotency_ids;
  called_hashes bytea[] := '{}';
  -- What became of each request.
  decisions text[] := '{}';
  ids bigint[] := '{}';
  balances_before bigint[] := '{}';
  retries_ms float8[] := '{}';
  request call_request;
  -- Where its account, service and prefix are in the arrays.
  account integer;
  service integer;
  prefix integer;
  key text;
  id bigint;
  decision text;
  number_limit number_decision;
BEGIN
  FOREACH request IN ARRAY requests LOOP
    account := array_position(batch.account_ids, request.account_id);
    service := array_position(batch.service_ids, request.service_id);
    prefix := array_position(batch.prefix_keys, request.service_id || ' ' || request.prefix);
    key := request.service_id || encode(request.key_digests[1], 'hex');
    id := key_ids[array_position(keys, key)];
    FOR older IN 2 .. coalesce(cardinality(request.key_digests), 0) LOOP
      id := coalesce(id, key_ids[array_position(keys, request.service_id || encode(request.key_digests[older], 'hex'))]);
    END LOOP;
    decision := CASE
      WHEN id IS NOT NULL THEN 'exists'
      WHEN request.is_test THEN 'accepted'
      WHEN request.opt_out_digest = ANY (batch.opted_out) THEN 'opted-out'
      WHEN batch.hour_counts[service] + service_calls[service] >= request.hour_max THEN 'cap-hour'
      WHEN batch.day_counts[service] + service_calls[service] >= request.day_max THEN 'cap-day'
      WHEN day_spents[service] + request.price > request.spend_max THEN 'cap-spend'
      WHEN prefix_counts[prefix] >= request.prefix_max THEN 'cap-prefix'
      WHEN balances[account] < request.price THEN 'no-money'
    END;
    number_limit := CASE WHEN decision LIKE 'cap-%' THEN (decision, cap_left_ms(decision, batch))::number_decision END;
    IF decision IS NULL AND request.number_hashes && called_hashes THEN
      number_limit := ('too-soon', extract(epoch FROM number_cooldown(scale)) * 1000);
    ELSIF decision IS NULL AND request.number_hashes && batch.number_hashes THEN
      number_limit := evaluate_locked_number(request, batch, scale);
    END IF;
    decision := coalesce(decision, number_limit.decision, 'accepted');
    decisions := decisions || decision;
    retries_ms := retries_ms || number_limit.retry_ms;
    balances_before := balances_before || balances[account];
    IF decision = 'accepted' THEN
      id := next_id(request.account_id % 64);
      keys := keys || coalesce(key, '');
      key_ids := key_ids || id;
    END IF;
    ids := ids || id;
    CONTINUE WHEN decision <> 'accepted' OR request.is_test;
    called_hashes := called_hashes || request.number_hashes[1];
    balances[account] := balances[account] - request.price;
    service_calls[service] := service_calls[service] + 1;
    day_spents[service] := day_spents[service] + request.price;
    IF prefix IS NOT NULL THEN
      prefix_counts[prefix] := prefix_counts[prefix] + 1;
    END IF;
  END LOOP;
  RETURN (decisions, ids, balances_before, retries_ms, balances, service_calls, day_spents, called_hashes)::call_outcomes;
END
$$;

-- The limits of a number that was called before. While keys change, it may have a row under each of them.
CREATE OR REPLACE FUNCTION evaluate_locked_number(request call_request, batch call_batch, scale float8) RETURNS number_decision
LANGUAGE plpgsql
AS $$
DECLARE
  number subscriber_numbers;
BEGIN
  IF cardinality(request.number_hashes) = 1 THEN
    number := batch.numbers[array_position(batch.number_hashes, request.number_hashes[1])];
  ELSE
    number := joined_number(
      ARRAY(SELECT known FROM unnest(batch.numbers) AS known WHERE known.hash = ANY (request.number_hashes)));
  END IF;
  RETURN evaluate_number_limits(
    number, request.service_id, request.calls_10_minutes, request.calls_day, batch.evaluated_at, scale, request.continues_lease);
END
$$;
