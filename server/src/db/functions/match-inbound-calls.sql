-- Inbound calls matched their requests, and each caller's number is in the vault: the requests succeed, their money is
-- captured and their webhooks are due, all at once. Returns the places of those that did; a request that is over, or was
-- matched by another call, also in the same batch, is left out.
CREATE OR REPLACE FUNCTION match_inbound_calls(p_ids bigint[], p_vault_names text[], p_life_seconds float8, p_assurances text[] DEFAULT NULL)
RETURNS SETOF integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  active integer[] := ARRAY(
    SELECT matched.place FROM unnest(p_ids) WITH ORDINALITY AS matched(id, place) JOIN inbound_requests AS request USING (id)
    WHERE request.is_active AND request.until > clock_timestamp()
      -- Of a ladder that is over nothing is charged.
      AND NOT EXISTS (SELECT FROM verifications AS call JOIN ladders AS ladder ON ladder.id = call.ladder_id
                      WHERE call.id = request.id AND ladder.state <> 'pending')
    ORDER BY matched.place);
  succeeded integer[];
BEGIN
  succeeded := ARRAY(
    SELECT active[ended] FROM end_calls((
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', p_ids[place], 'attempt', 0, 'succeeded', true, 'reason', 'called')), '[]')
      FROM unnest(active) AS place)) AS ended);
  INSERT INTO webhooks (id, service_id, is_test, callback_sealed, receiver_digest, confirmation_number, vault_name, number_until)
  SELECT request.id, request.service_id, request.is_test, request.callback_sealed, request.receiver_digest,
    request.confirmation_number, p_vault_names[place], clock_timestamp() + make_interval(secs => p_life_seconds)
  FROM unnest(succeeded) AS place JOIN inbound_requests AS request ON request.id = p_ids[place]
  WHERE request.callback_sealed IS NOT NULL;
  UPDATE verifications SET assurance = p_assurances[place] FROM unnest(succeeded) AS place
  WHERE verifications.id = p_ids[place] AND p_assurances[place] IS NOT NULL;
  UPDATE inbound_requests AS request SET is_active = false FROM unnest(succeeded) AS place WHERE request.id = p_ids[place];
  RETURN QUERY SELECT unnest(succeeded);
END
$$;
