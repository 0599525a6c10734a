-- A worker claims attempt n of a call before it dials. Exactly one claim of an attempt wins, also when both come in one
-- batch: the places of the winners are given back, not their ids, with the milliseconds until the call must be over.
CREATE FUNCTION claim_calls(p_claims jsonb) RETURNS TABLE (place integer, left_ms float8)
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
BEGIN
  PERFORM FROM verifications AS v
  WHERE v.id IN (SELECT (e ->> 'id')::bigint FROM jsonb_array_elements(p_claims) AS e) ORDER BY v.id FOR UPDATE;
  RETURN QUERY
  WITH wanted AS (
    SELECT DISTINCT ON (c.id, c.attempt) c.id, c.attempt, c.trunk, c.caller_number, o::integer AS o
    FROM jsonb_array_elements(p_claims) WITH ORDINALITY AS t(e, o),
      jsonb_to_record(e) AS c(id bigint, attempt smallint, trunk text, caller_number bigint)
    ORDER BY c.id, c.attempt, o
  )
  UPDATE verifications AS v
  SET state = 'dialling', attempt = w.attempt, dialled_at = clock_timestamp(), trunk = w.trunk,
    caller_number = w.caller_number
  FROM wanted AS w
  WHERE v.id = w.id AND v.state IN ('accepted', 'dialling') AND v.attempt = w.attempt - 1 AND v.rang_at IS NULL
    AND clock_timestamp() < v.start_until
  RETURNING w.o, (extract(epoch FROM v.end_until - clock_timestamp()) * 1000)::float8;
END
$$;

-- The phone rings: from here on there is no further attempt.
CREATE FUNCTION note_rang(p_rang jsonb) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp
AS $$
  UPDATE verifications AS v SET rang_at = clock_timestamp()
  FROM (SELECT v.id FROM verifications AS v, jsonb_to_recordset(p_rang) AS c(id bigint, attempt smallint)
        WHERE v.id = c.id AND v.attempt = c.attempt AND v.state = 'dialling' AND v.rang_at IS NULL
        ORDER BY v.id FOR UPDATE OF v) AS l
  WHERE v.id = l.id
$$;

CREATE TYPE call_end AS (
  id bigint,
  attempt smallint,
  succeeded boolean,
  reason text,
  sip_status integer,
  post_dial_ms integer,
  ring_ms integer,
  ended_by text,
  number_hashes bytea[],
  number_lease_id bigint
);

-- Ends calls: the state, the second entry of the ledger, the account, the service's spending and the number, in one.
-- Only what is still open and of the same attempt changes; whatever comes late or twice finds nothing to do. The places
-- of those that ended here are given back.
CREATE FUNCTION end_calls(p_ends jsonb) RETURNS SETOF integer
LANGUAGE plpgsql SET search_path = public, pg_temp
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

-- Takes an accept back whose call could not be dispatched: as if it had never been, but for the row that says so. What a
-- retry has taken up stays: its client may have been answered, and must not be given another verification for the key. But
-- where no token is told the number was never ours to call: then the call ends, and only its key stays.
CREATE FUNCTION undo_calls(p_ends jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
DECLARE
  own jsonb;
  undone bigint[];
BEGIN
  PERFORM FROM verifications AS v
  WHERE v.id IN (SELECT (e ->> 'id')::bigint FROM jsonb_array_elements(p_ends) AS e) ORDER BY v.id FOR UPDATE;
  SELECT coalesce(jsonb_agg(e ORDER BY o), '[]') INTO own
  FROM jsonb_array_elements(p_ends) WITH ORDINALITY AS t(e, o)
  JOIN verifications AS v ON v.id = (e ->> 'id')::bigint AND NOT (v.pinned AND e ->> 'number_lease_id' IS NOT NULL);
  undone := ARRAY(SELECT (jsonb_populate_record(NULL::call_end, own -> (o - 1))).id FROM end_calls(own) AS o);
  UPDATE service_usage AS s SET
    hour_count = greatest(0, s.hour_count - t.of_hour), day_count = greatest(0, s.day_count - t.of_day)
  FROM (SELECT v.service_id,
          count(*) FILTER (WHERE to_timestamp((v.id >> 23) + 1767225600) >= u.hour) AS of_hour,
          count(*) FILTER (WHERE to_timestamp((v.id >> 23) + 1767225600) >= u.day) AS of_day
        FROM verifications AS v JOIN service_usage AS u USING (service_id)
        WHERE v.id = ANY (undone) AND NOT v.is_test GROUP BY v.service_id) AS t
  WHERE s.service_id = t.service_id;
  UPDATE prefix_usage AS s SET hour_count = greatest(0, s.hour_count - t.of_hour)
  FROM (SELECT v.service_id, v.prefix, count(*) AS of_hour
        FROM verifications AS v JOIN prefix_usage AS u USING (service_id, prefix)
        WHERE v.id = ANY (undone) AND NOT v.is_test AND to_timestamp((v.id >> 23) + 1767225600) >= u.hour
        GROUP BY v.service_id, v.prefix) AS t
  WHERE s.service_id = t.service_id AND s.prefix = t.prefix;
  DELETE FROM idempotency_keys AS i USING verifications AS v
  WHERE v.id = ANY (undone) AND NOT v.pinned AND i.id = v.id AND i.service_id = v.service_id;
  UPDATE subscriber_numbers AS s SET (call_at, call_service, call_lease_id) = (SELECT n.call_at, n.call_service, n.call_lease_id
    FROM without_call(s, w.number_lease_id) AS n)
  FROM jsonb_populate_recordset(NULL::call_end, p_ends) AS w, unnest(w.number_hashes) AS h
  WHERE s.hash = h AND w.number_lease_id = ANY (s.call_lease_id) AND w.id = ANY (undone);
  DELETE FROM subscriber_numbers AS s
  USING jsonb_populate_recordset(NULL::call_end, p_ends) AS w, unnest(w.number_hashes) AS h
  WHERE s.hash = h AND s.call_at = '{}' AND w.id = ANY (undone);
END
$$;

REVOKE ALL ON FUNCTION claim_calls, note_rang, end_calls, undo_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_calls, note_rang, end_calls, undo_calls TO ringproof_app;
