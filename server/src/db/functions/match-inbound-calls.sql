-- Calls came, and the number of whoever called is in the vault: the waits are proved, their money captured and their
-- webhooks due, all at once. Gives the places of those that were; a wait that is over, or was proved by another call, also
-- by one of the same batch, is not.
CREATE OR REPLACE FUNCTION match_inbound_calls(p_ids bigint[], p_vault_names text[], p_life_seconds float8) RETURNS SETOF integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  open_places integer[] := ARRAY(
    SELECT p.o FROM unnest(p_ids) WITH ORDINALITY AS p(id, o) JOIN inbound_requests AS w USING (id)
    WHERE w.is_active AND w.until > clock_timestamp() ORDER BY p.o);
  proved integer[];
BEGIN
  proved := ARRAY(
    SELECT open_places[e] FROM end_calls((
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', p_ids[o], 'attempt', 0, 'succeeded', true, 'reason', 'called')), '[]')
      FROM unnest(open_places) AS o)) AS e);
  INSERT INTO webhooks (id, service_id, is_test, callback_sealed, receiver_digest, confirmation_number, vault_name, number_until)
  SELECT w.id, w.service_id, w.is_test, w.callback_sealed, w.receiver_digest, w.confirmation_number, p_vault_names[o],
    clock_timestamp() + make_interval(secs => p_life_seconds)
  FROM unnest(proved) AS o JOIN inbound_requests AS w ON w.id = p_ids[o];
  UPDATE inbound_requests AS w SET is_active = false FROM unnest(proved) AS o WHERE w.id = p_ids[o];
  RETURN QUERY SELECT unnest(proved);
END
$$;
