-- The verifications of keys that were used before. A key has a digest under every ring key that may still be in use, and each
-- digest comes with the place of its request.
CREATE OR REPLACE FUNCTION find_idempotency_keys(p_services integer[], p_digests bytea[], p_places integer[])
RETURNS TABLE (place integer, id bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT wanted.place, used.id
  FROM unnest(p_services, p_digests, p_places) AS wanted(service_id, digest, place)
  JOIN idempotency_keys AS used ON used.service_id = wanted.service_id AND used.digest = wanted.digest;
END
$$;
