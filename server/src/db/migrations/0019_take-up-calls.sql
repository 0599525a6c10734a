-- Retries are about to be answered with these calls: from now on they cannot be undone.
CREATE FUNCTION pin_verifications(p_ids bigint[]) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
AS $$
  UPDATE verifications SET pinned = true WHERE id IN (
    SELECT id FROM verifications WHERE id = ANY (p_ids) AND state = 'accepted' AND NOT pinned ORDER BY id FOR UPDATE)
$$;
REVOKE ALL ON FUNCTION pin_verifications FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pin_verifications TO ringproof_app;
