-- Accepts a batch of requests: locks accounts and numbers in their order, so that two batches cannot deadlock; then reads
-- what is newest; evaluates the requests one after another, because keys, caps, money and limits of one change what the next
-- may do; and writes all of it at once. A refused request has changed nothing when the next is evaluated, and leaves nothing.
--
-- A call costs as much as a dozen requests in it, however few there are, and most of that is its statements beginning and
-- ending: so there are few, and what is evaluated in the loop are plain arrays, never rows in arrays that are written to.
--
-- Decisions: accepted · exists (the id is the earlier one's) · opted-out · cap-hour · cap-day · cap-spend · cap-prefix · no-money ·
-- too-soon · used-up-… (with the milliseconds to wait).
CREATE OR REPLACE FUNCTION accept_calls(p_requests jsonb, p_scale float8)
RETURNS TABLE (ord integer, decision text, id bigint, balance_before bigint, retry_ms float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  r call_request[] := ARRAY(
    SELECT jsonb_populate_record(NULL::call_request, e)
    FROM jsonb_array_elements(p_requests) WITH ORDINALITY AS t(e, o) ORDER BY o);
  v_now timestamptz;
  this_hour timestamptz;
  this_day timestamptz;
  -- What the batch needs, place by place, as it is after the requests that were evaluated so far.
  account_ids integer[];
  balances bigint[];
  -- The numbers that were called before, those that were not, and those that the batch calls.
  hashes bytea[];
  numbers subscriber_numbers[];
  new_hashes bytea[];
  called_hashes bytea[] := '{}';
  usage_ids integer[];
  hour_counts integer[];
  day_counts integer[];
  day_spents bigint[];
  used boolean[];
  opted_out bytea[];
  prefix_keys text[];
  prefix_counts integer[];
  keys text[];
  key_ids bigint[];
  -- What became of each request.
  decisions text[] := '{}';
  ids bigint[] := '{}';
  befores bigint[] := '{}';
  retries float8[] := '{}';
  q call_request;
  a integer;
  m integer;
  leaves_rows boolean := false;
  u integer;
  p integer;
  key text;
  v text;
  j number_decision;
  new_id bigint;
BEGIN
  SELECT array_agg(l.id), array_agg(l.balance) INTO account_ids, balances
  FROM (SELECT c.id, c.balance FROM accounts AS c
        WHERE c.id IN (SELECT account_id FROM unnest(r)) ORDER BY c.id FOR UPDATE) AS l;
  -- An update that changes nothing locks the row and gives back its newest version, whoever made it.
  WITH locked AS (
    INSERT INTO subscriber_numbers AS s (hash)
    SELECT DISTINCT h FROM unnest(r) AS x, unnest(x.number_hashes) AS h WHERE NOT x.is_test ORDER BY 1
    ON CONFLICT (hash) DO UPDATE SET touched_at = s.touched_at
    RETURNING s AS n
  )
  SELECT array_agg((n).hash) FILTER (WHERE (n).call_at <> '{}'), array_agg(n) FILTER (WHERE (n).call_at <> '{}'),
    array_agg((n).hash) FILTER (WHERE (n).call_at = '{}')
  INTO hashes, numbers, new_hashes FROM locked;

  v_now := clock_timestamp();
  this_hour := date_trunc('hour', v_now);
  this_day := date_trunc('day', v_now, 'UTC');
  SELECT array_agg(service_id), array_agg(CASE WHEN s.hour = this_hour THEN s.hour_count ELSE 0 END),
    array_agg(CASE WHEN s.day = this_day THEN s.day_count ELSE 0 END),
    array_agg(CASE WHEN s.day = this_day THEN s.day_spent ELSE 0 END), array_agg(false),
    (SELECT array_agg(o.digest) FROM opt_outs AS o WHERE o.digest IN (SELECT opt_out_digest FROM unnest(r)))
  INTO usage_ids, hour_counts, day_counts, day_spents, used, opted_out
  FROM (SELECT DISTINCT service_id FROM unnest(r)) AS w LEFT JOIN service_usage AS s USING (service_id);
  IF EXISTS (SELECT FROM unnest(r) WHERE prefix_max IS NOT NULL) THEN
    SELECT array_agg(w.service_id || ' ' || w.prefix), array_agg(CASE WHEN s.hour = this_hour THEN s.hour_count ELSE 0 END)
    INTO prefix_keys, prefix_counts
    FROM (SELECT DISTINCT service_id, prefix FROM unnest(r) WHERE prefix_max IS NOT NULL) AS w
    LEFT JOIN prefix_usage AS s USING (service_id, prefix);
  END IF;
  SELECT array_agg(i.service_id || encode(i.digest, 'hex')), array_agg(i.id) INTO keys, key_ids
  FROM idempotency_keys AS i
  WHERE (i.service_id, i.digest) IN (SELECT x.service_id, d FROM unnest(r) AS x, unnest(x.key_digests) AS d);

  FOREACH q IN ARRAY r LOOP
    a := array_position(account_ids, q.account_id);
    u := array_position(usage_ids, q.service_id);
    p := CASE WHEN q.prefix_max IS NOT NULL THEN array_position(prefix_keys, q.service_id || ' ' || q.prefix) END;
    key := q.service_id || encode(q.key_digests[1], 'hex');
    new_id := key_ids[array_position(keys, key)];
    FOR d IN 2 .. coalesce(cardinality(q.key_digests), 0) LOOP
      new_id := coalesce(new_id, key_ids[array_position(keys, q.service_id || encode(q.key_digests[d], 'hex'))]);
    END LOOP;
    v := CASE
      WHEN new_id IS NOT NULL THEN 'exists'
      WHEN q.is_test THEN 'accepted'
      WHEN q.opt_out_digest = ANY (opted_out) THEN 'opted-out'
      WHEN hour_counts[u] >= q.hour_max THEN 'cap-hour'
      WHEN day_counts[u] >= q.day_max THEN 'cap-day'
      WHEN day_spents[u] + q.price > q.spend_max THEN 'cap-spend'
      WHEN prefix_counts[p] >= q.prefix_max THEN 'cap-prefix'
      WHEN balances[a] < q.price THEN 'no-money'
    END;
    j := NULL;
    IF v = 'cap-prefix' THEN
      j := (v, extract(epoch FROM this_hour + interval '1 hour' - v_now) * 1000);
    END IF;
    m := array_position(hashes, q.number_hashes[1]);
    IF v IS NULL AND q.number_hashes && called_hashes THEN
      j := ('too-soon', 15000 * p_scale);
    ELSIF v IS NULL AND cardinality(q.number_hashes) > 1 THEN
      j := evaluate_number_limits(
        joined_number(ARRAY(SELECT n FROM unnest(numbers) AS n WHERE n.hash = ANY (q.number_hashes)), v_now),
        q.service_id, q.calls_10_minutes, q.calls_day, v_now, p_scale);
    ELSIF v IS NULL AND m IS NOT NULL THEN
      j := evaluate_number_limits(without_lapsed(numbers[m], v_now), q.service_id, q.calls_10_minutes, q.calls_day, v_now, p_scale);
    END IF;
    v := coalesce(v, j.decision, 'accepted');
    decisions := decisions || v;
    retries := retries || j.retry_ms;
    befores := befores || balances[a];
    IF v = 'accepted' THEN
      new_id := next_id(q.account_id % 64);
      IF key IS NOT NULL THEN
        keys := keys || key;
        key_ids := key_ids || new_id;
      END IF;
      used[u] := true;
      IF NOT q.is_test THEN
        called_hashes := called_hashes || q.number_hashes[1];
        balances[a] := balances[a] - q.price;
        hour_counts[u] := hour_counts[u] + 1;
        day_counts[u] := day_counts[u] + 1;
        day_spents[u] := day_spents[u] + q.price;
        IF p IS NOT NULL THEN
          prefix_counts[p] := prefix_counts[p] + 1;
        END IF;
      END IF;
    END IF;
    leaves_rows := leaves_rows OR v <> 'accepted' OR cardinality(q.number_hashes) > 1;
    ids := ids || new_id;
  END LOOP;

  RETURN QUERY
  WITH accepted AS MATERIALIZED (
    SELECT x.* FROM ROWS FROM (unnest(r), unnest(decisions), unnest(ids), unnest(befores)) AS x(account_id, service_id,
      key_digests, is_test, mode, phone_hash, person_sealed, number_hashes, country, phone_info, code, price, trunk, caller_number, calls_10_minutes, calls_day, hour_max, day_max, spend_max, opt_out_digest, prefix,
      prefix_max, decision, id, before)
    WHERE x.decision = 'accepted'
  ), begun AS (
    INSERT INTO verifications (id, account_id, service_id, mode, is_test, phone_hash, person_sealed, country, prefix,
      phone_info, code, price, balance_before, start_until, end_until, trunk, caller_number)
    SELECT x.id, x.account_id, x.service_id, x.mode, x.is_test, x.phone_hash, x.person_sealed, x.country, x.prefix,
      x.phone_info, x.code, CASE WHEN x.is_test THEN 0 ELSE x.price END, x.before,
      v_now + interval '10 seconds' * p_scale, v_now + interval '55 seconds' * p_scale, x.trunk, x.caller_number
    FROM accepted AS x
  ), keyed AS (
    INSERT INTO idempotency_keys (service_id, digest, id)
    SELECT x.service_id, x.key_digests[1], x.id FROM accepted AS x WHERE x.key_digests IS NOT NULL
  ), written AS (
    INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
    SELECT x.id, 1, x.account_id, 'available', 'held', x.price FROM accepted AS x WHERE NOT x.is_test AND x.price > 0
  ), moved AS (
    UPDATE accounts AS c SET held = c.held + c.balance - w.balance, balance = w.balance
    FROM unnest(account_ids, balances) AS w(id, balance) WHERE c.id = w.id AND c.balance <> w.balance
  ), called AS (
    UPDATE subscriber_numbers AS s SET (lease_id, lease_until, lease_confirmed, lease_digest, call_at, call_service,
        call_lease_id, touched_at) =
      (SELECT n.lease_id, n.lease_until, n.lease_confirmed, n.lease_digest, n.call_at, n.call_service, n.call_lease_id,
         n.touched_at
       FROM with_call(without_lapsed(s, v_now), x.service_id, x.id, v_now, v_now + interval '55 seconds' * p_scale, true,
         NULL, p_scale) AS n)
    FROM accepted AS x WHERE s.hash = x.number_hashes[1] AND NOT x.is_test
  ), counted AS (
    INSERT INTO service_usage (service_id, hour, hour_count, day, day_count, day_spent, last_request_at)
    SELECT w.service_id, this_hour, w.hour_count, this_day, w.day_count, w.day_spent, v_now
    FROM unnest(usage_ids, hour_counts, day_counts, day_spents, used) AS w(service_id, hour_count, day_count, day_spent, used)
    WHERE w.used ORDER BY w.service_id
    ON CONFLICT (service_id) DO UPDATE SET (hour, hour_count, day, day_count, day_spent, last_request_at) =
      (excluded.hour, excluded.hour_count, excluded.day, excluded.day_count, excluded.day_spent, excluded.last_request_at)
  ), counted_prefixes AS (
    INSERT INTO prefix_usage AS s (service_id, prefix, hour, hour_count)
    SELECT x.service_id, x.prefix, this_hour, count(*) FROM accepted AS x
    WHERE x.prefix_max IS NOT NULL AND NOT x.is_test GROUP BY x.service_id, x.prefix
    ON CONFLICT (service_id, prefix) DO UPDATE SET hour = excluded.hour,
      hour_count = CASE WHEN s.hour = excluded.hour THEN s.hour_count ELSE 0 END + excluded.hour_count
  )
  SELECT w.o::integer, w.decision, w.id, w.before, w.wait
  FROM unnest(decisions, ids, befores, retries) WITH ORDINALITY AS w(decision, id, before, wait, o);

  -- The rows that were made to be locked and were not called.
  IF leaves_rows AND new_hashes IS NOT NULL THEN
    DELETE FROM subscriber_numbers AS s WHERE s.hash = ANY (new_hashes) AND s.call_at = '{}';
  END IF;
END
$$;
