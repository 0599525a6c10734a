-- Ends calls: state, second ledger entry, account, spending of the service and lease of the number, all at once. Only a call
-- that has not ended and is at the same attempt changes; what comes late or twice changes nothing. Returns the places of the
-- calls that ended here. The range of the IDs lets a kept plan leave out the partitions of other days when it starts.
CREATE OR REPLACE FUNCTION end_calls(p_ends jsonb) RETURNS SETOF integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  ends call_end[];
  ids bigint[];
  lowest_id bigint;
  highest_id bigint;
  hash_count integer;
  locked record;
BEGIN
  IF p_ends = '[]' THEN
    RETURN;
  END IF;
  SELECT array_agg(listed.one ORDER BY listed.place), array_agg((listed.one).id), min((listed.one).id), max((listed.one).id),
    sum(cardinality((listed.one).number_hashes))
  INTO ends, ids, lowest_id, highest_id, hash_count
  FROM (SELECT jsonb_populate_record(NULL::call_end, call_end) AS one, place
        FROM jsonb_array_elements(p_ends) WITH ORDINALITY AS listed(call_end, place)) AS listed;
  SELECT array_agg(account_id) AS account_ids, array_agg(id) FILTER (WHERE ladder_id IS NOT NULL) AS ladder_calls INTO locked
  FROM (SELECT call.id, call.account_id, call.ladder_id, call.state FROM verifications AS call
        WHERE call.id = ANY (ids) AND call.id BETWEEN lowest_id AND highest_id ORDER BY call.id FOR UPDATE) AS open
  WHERE open.state IN ('accepted', 'dialling');
  PERFORM FROM accounts AS account WHERE account.id = ANY (locked.account_ids) ORDER BY account.id FOR UPDATE;
  IF hash_count > 1 THEN
    PERFORM FROM subscriber_numbers AS number
    WHERE number.hash IN (SELECT hash FROM unnest(ends) AS call_end, unnest(call_end.number_hashes) AS hash)
    ORDER BY number.hash FOR UPDATE;
  END IF;

  RETURN QUERY
  WITH wanted AS (
    SELECT DISTINCT ON (listed.id, listed.attempt) listed.*
    FROM unnest(ends) WITH ORDINALITY AS listed(id, attempt, succeeded, reason, sip_status, post_dial_ms, ring_ms, ended_by,
      number_hashes, number_lease_id, is_silent, place)
    ORDER BY listed.id, listed.attempt, listed.place
  ), ended AS (
    UPDATE verifications AS call
    SET state = CASE WHEN wanted.succeeded THEN 'succeeded' ELSE 'failed' END::verification_state,
      ended_at = clock_timestamp(), reason = wanted.reason, sip_status = wanted.sip_status,
      post_dial_ms = wanted.post_dial_ms, ring_ms = wanted.ring_ms, ended_by = wanted.ended_by
    FROM wanted
    WHERE call.id = wanted.id AND call.id = ANY (ids) AND call.id BETWEEN lowest_id AND highest_id
      AND call.attempt = wanted.attempt AND call.state IN ('accepted', 'dialling')
    RETURNING call.id, call.account_id, call.service_id, call.price, wanted.place, wanted.number_hashes, wanted.number_lease_id,
      wanted.succeeded OR (call.charges_failed AND wanted.reason = ANY (charged_failures())) AS is_captured
  ), written AS (
    INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
    SELECT id, 2, account_id, 'held', CASE WHEN is_captured THEN 'revenue' ELSE 'available' END::ledger_account, price
    FROM ended WHERE price > 0
  ), moved AS (
    UPDATE accounts AS account SET held = account.held - total.closed, balance = account.balance + total.released
    FROM (SELECT account_id, sum(price) AS closed, coalesce(sum(price) FILTER (WHERE NOT is_captured), 0) AS released
          FROM ended WHERE price > 0 GROUP BY account_id) AS total
    WHERE account.id = total.account_id
  ), unspent AS (
    -- The counter holds the spending of one day; what was spent on an earlier day is not in it.
    UPDATE service_usage AS usage SET day_spent = greatest(0, usage.day_spent - total.released)
    FROM (SELECT ended.service_id, sum(ended.price) AS released FROM ended JOIN service_usage USING (service_id)
          WHERE NOT ended.is_captured AND ended.price > 0
            AND to_timestamp((ended.id >> 23) + id_epoch()) >= service_usage.day
          GROUP BY ended.service_id) AS total
    WHERE usage.service_id = total.service_id
  ), freed AS (
    UPDATE subscriber_numbers AS number SET lease_id = NULL, lease_until = NULL, lease_digest = NULL
    FROM ended, unnest(ended.number_hashes) AS own_hash
    WHERE number.hash = own_hash AND number.lease_id = ended.number_lease_id
  )
  SELECT place::integer FROM ended;
  IF locked.ladder_calls IS NOT NULL THEN
    PERFORM note_ladder_calls(locked.ladder_calls, ends);
  END IF;
END
$$;
