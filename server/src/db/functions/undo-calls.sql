-- Undoes an accept whose call could not be dispatched: as if it had never been, except for the row that says so. A pinned
-- verification stays: a retry has returned it, so its client must not get another one for the same key. But without a lease
-- ID the number was never ours to call: then the call ends, and only its key stays.
CREATE OR REPLACE FUNCTION undo_calls(p_ends jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off
AS $$
DECLARE
  undoable jsonb;
  undone bigint[];
BEGIN
  PERFORM FROM verifications
  WHERE id IN (SELECT (call_end ->> 'id')::bigint FROM jsonb_array_elements(p_ends) AS call_end) ORDER BY id FOR UPDATE;
  SELECT coalesce(jsonb_agg(listed.call_end ORDER BY listed.place), '[]') INTO undoable
  FROM jsonb_array_elements(p_ends) WITH ORDINALITY AS listed(call_end, place)
  JOIN verifications AS call ON call.id = (listed.call_end ->> 'id')::bigint
    AND NOT (call.pinned AND listed.call_end ->> 'number_lease_id' IS NOT NULL);
  undone := ARRAY(
    SELECT (jsonb_populate_record(NULL::call_end, undoable -> (place - 1))).id FROM end_calls(undoable) AS place);

  PERFORM undo_ladder_calls(undone);
  UPDATE verifications AS earlier SET repeat_ids = array_remove(earlier.repeat_ids, repeat.id)
  FROM verifications AS repeat WHERE repeat.id = ANY (undone) AND earlier.id = repeat.first_id;
  UPDATE service_usage AS usage SET
    hour_count = greatest(0, usage.hour_count - total.of_hour), day_count = greatest(0, usage.day_count - total.of_day)
  FROM (SELECT call.service_id,
          count(*) FILTER (WHERE to_timestamp((call.id >> 23) + id_epoch()) >= counted.hour) AS of_hour,
          count(*) FILTER (WHERE to_timestamp((call.id >> 23) + id_epoch()) >= counted.day) AS of_day
        FROM verifications AS call JOIN service_usage AS counted USING (service_id)
        WHERE call.id = ANY (undone) AND NOT call.is_test GROUP BY call.service_id) AS total
  WHERE usage.service_id = total.service_id;
  UPDATE prefix_usage AS usage SET hour_count = greatest(0, usage.hour_count - total.of_hour)
  FROM (SELECT call.service_id, call.prefix, count(*) AS of_hour
        FROM verifications AS call JOIN prefix_usage AS counted USING (service_id, prefix)
        WHERE call.id = ANY (undone) AND NOT call.is_test
          AND to_timestamp((call.id >> 23) + id_epoch()) >= counted.hour
        GROUP BY call.service_id, call.prefix) AS total
  WHERE usage.service_id = total.service_id AND usage.prefix = total.prefix;
  DELETE FROM idempotency_keys AS used USING verifications AS call
  WHERE call.id = ANY (undone) AND NOT call.pinned AND used.id = call.id AND used.service_id = call.service_id;
  UPDATE subscriber_numbers AS number SET (call_at, call_service, call_lease_id) =
    (SELECT after.call_at, after.call_service, after.call_lease_id
     FROM without_call(number, call_end.number_lease_id) AS after)
  FROM jsonb_populate_recordset(NULL::call_end, p_ends) AS call_end, unnest(call_end.number_hashes) AS own_hash
  WHERE number.hash = own_hash AND call_end.number_lease_id = ANY (number.call_lease_id) AND call_end.id = ANY (undone);
  DELETE FROM subscriber_numbers AS number
  USING jsonb_populate_recordset(NULL::call_end, p_ends) AS call_end, unnest(call_end.number_hashes) AS own_hash
  WHERE number.hash = own_hash AND number.call_at = '{}' AND call_end.id = ANY (undone);
END
$$;

-- Retries are about to return these calls: from now on they cannot be undone.
CREATE OR REPLACE FUNCTION pin_verifications(p_ids bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
AS $$
  UPDATE verifications SET pinned = true WHERE id IN (
    SELECT id FROM verifications WHERE id = ANY (p_ids) AND state = 'accepted' AND NOT pinned ORDER BY id FOR UPDATE)
$$;
