-- Ends calls: the state, the second entry of the ledger, the account, the service's spending and the number, in one.
-- Only what is still open and of the same attempt changes; whatever comes late or twice finds nothing to do. The places
-- of those that ended here are given back.
CREATE OR REPLACE FUNCTION end_calls(p_ends jsonb) RETURNS SETOF integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  ends call_end[] := ARRAY(
    SELECT jsonb_populate_record(NULL::call_end, e)
    FROM jsonb_array_elements(p_ends) WITH ORDINALITY AS t(e, o) ORDER BY o);
  done integer[];
  done_ids bigint[];
BEGIN
  PERFORM FROM verifications AS v WHERE v.id IN (SELECT id FROM unnest(ends)) ORDER BY v.id FOR UPDATE;
  PERFORM FROM accounts AS a
  WHERE a.id IN (SELECT v.account_id FROM verifications AS v
                 WHERE v.id IN (SELECT id FROM unnest(ends)) AND v.state IN ('accepted', 'dialling'))
  ORDER BY a.id FOR UPDATE;
  PERFORM FROM subscriber_numbers AS s
  WHERE s.hash IN (SELECT h FROM unnest(ends) AS e, unnest(e.number_hashes) AS h) ORDER BY s.hash FOR UPDATE;

  WITH wanted AS (
    SELECT DISTINCT ON (w.id) w.id, w.attempt, w.succeeded, w.reason, w.sip_status, w.post_dial_ms, w.ring_ms, w.ended_by,
      w.o::integer AS o
    FROM unnest(ends) WITH ORDINALITY AS w(id, attempt, succeeded, reason, sip_status, post_dial_ms, ring_ms, ended_by,
      number_hashes, number_lease_id, o)
    JOIN verifications AS v ON v.id = w.id AND v.attempt = w.attempt AND v.state IN ('accepted', 'dialling')
    ORDER BY w.id, o
  ), ended AS (
    UPDATE verifications AS v
    SET state = CASE WHEN w.succeeded THEN 'succeeded' ELSE 'failed' END::verification_state, ended_at = clock_timestamp(),
      reason = w.reason, sip_status = w.sip_status, post_dial_ms = w.post_dial_ms, ring_ms = w.ring_ms,
      ended_by = w.ended_by
    FROM wanted AS w WHERE v.id = w.id
    RETURNING v.id, v.account_id, v.service_id, v.price, w.succeeded, w.o
  ), written AS (
    INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
    SELECT id, 2, account_id, 'held', CASE WHEN succeeded THEN 'revenue' ELSE 'available' END::ledger_account, price
    FROM ended WHERE price > 0
  ), moved AS (
    UPDATE accounts AS a SET held = a.held - t.closed, balance = a.balance + t.released
    FROM (SELECT account_id, sum(price) AS closed, coalesce(sum(price) FILTER (WHERE NOT succeeded), 0) AS released
          FROM ended WHERE price > 0 GROUP BY account_id) AS t
    WHERE a.id = t.account_id
  ), unspent AS (
    -- What was spent on another day than the service's present one is in no counter any more.
    UPDATE service_usage AS s SET day_spent = greatest(0, s.day_spent - t.released)
    FROM (SELECT e.service_id, sum(e.price) AS released FROM ended AS e JOIN service_usage AS u USING (service_id)
          WHERE NOT e.succeeded AND e.price > 0 AND to_timestamp((e.id >> 23) + 1767225600) >= u.day
          GROUP BY e.service_id) AS t
    WHERE s.service_id = t.service_id
  )
  SELECT array_agg(o), array_agg(id) INTO done, done_ids FROM ended;

  UPDATE subscriber_numbers AS s SET lease_id = NULL, lease_until = NULL, lease_confirmed = true, lease_digest = NULL
  FROM unnest(ends) AS w, unnest(w.number_hashes) AS h
  WHERE s.hash = h AND s.lease_id = w.number_lease_id AND w.id = ANY (done_ids);
  RETURN QUERY SELECT unnest(done);
END
$$;
