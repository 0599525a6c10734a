-- A worker claims attempt n of a call before it dials. Exactly one claim of an attempt wins, also when both come in one
-- batch: the places of the winners are given back, not their ids, with the milliseconds until the call must be over.
CREATE OR REPLACE FUNCTION claim_calls(p_claims jsonb) RETURNS TABLE (place integer, left_ms float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
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
CREATE OR REPLACE FUNCTION note_rang(p_rang jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
  UPDATE verifications AS v SET rang_at = clock_timestamp()
  FROM (SELECT v.id FROM verifications AS v, jsonb_to_recordset(p_rang) AS c(id bigint, attempt smallint)
        WHERE v.id = c.id AND v.attempt = c.attempt AND v.state = 'dialling' AND v.rang_at IS NULL
        ORDER BY v.id FOR UPDATE OF v) AS l
  WHERE v.id = l.id
$$;
