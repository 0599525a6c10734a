-- Takes an accept back whose call could not be dispatched: as if it had never been, but for the row that says so. What a
-- retry has taken up stays: its client may have been answered, and must not be given another verification for the key. But
-- where no token is told the number was never ours to call: then the call ends, and only its key stays.
CREATE OR REPLACE FUNCTION undo_calls(p_ends jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off
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

-- Retries are about to be answered with these calls: from now on they cannot be undone.
CREATE OR REPLACE FUNCTION pin_verifications(p_ids bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
AS $$
  UPDATE verifications SET pinned = true WHERE id IN (
    SELECT id FROM verifications WHERE id = ANY (p_ids) AND state = 'accepted' AND NOT pinned ORDER BY id FOR UPDATE)
$$;
