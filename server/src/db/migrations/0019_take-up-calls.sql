-- Retries are about to be answered with these calls: from now on they cannot be undone.
CREATE FUNCTION take_up_calls(p_ids bigint[]) RETURNS void
LANGUAGE sql SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
AS $$
  UPDATE verifications SET taken_up = true WHERE id IN (
    SELECT id FROM verifications WHERE id = ANY (p_ids) AND state = 'accepted' AND NOT taken_up ORDER BY id FOR UPDATE)
$$;
REVOKE ALL ON FUNCTION take_up_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_up_calls TO ringproof_app;
