-- Accepts a batch of free repeats. The account's row lock makes the count of repeats exact: repeats of one call are accepted one
-- after another. A repeat is then accepted like any call, so limits and caps hold for it.
--
-- Decisions: those of accept_calls · repeat-too-late · repeats-used-up · too-soon while it is still in progress.
CREATE OR REPLACE FUNCTION accept_repeats(p_requests jsonb, p_scale float8)
RETURNS TABLE (ord integer, decision text, id bigint, retry_ms float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  request jsonb;
  first verifications;
BEGIN
  PERFORM FROM accounts AS account
  WHERE account.id IN (SELECT (element ->> 'account_id')::integer FROM jsonb_array_elements(p_requests) AS element)
  ORDER BY account.id FOR UPDATE;
  ord := 0;
  FOR request IN SELECT element FROM jsonb_array_elements(p_requests) WITH ORDINALITY AS listed(element, place) ORDER BY place LOOP
    ord := ord + 1;
    id := NULL;
    retry_ms := NULL;
    SELECT * INTO first FROM verifications AS earlier WHERE earlier.id = (request ->> 'first_id')::bigint;
    decision := CASE
      WHEN cardinality(first.repeat_ids) >= free_repeats_max() THEN 'repeats-used-up'
      WHEN clock_timestamp() > first.accepted_at + repeat_window(p_scale) THEN 'repeat-too-late'
      WHEN first.ended_at IS NULL THEN 'too-soon'
    END;
    IF decision = 'too-soon' THEN
      retry_ms := greatest(0, extract(epoch FROM first.accepted_at + number_cooldown(p_scale) - clock_timestamp()) * 1000);
    END IF;
    IF decision IS NULL THEN
      SELECT accepted.decision, accepted.id, accepted.retry_ms INTO decision, id, retry_ms
      FROM accept_calls(json_build_array(request), p_scale) AS accepted;
    END IF;
    IF decision = 'accepted' THEN
      UPDATE verifications AS repeat SET first_id = first.id WHERE repeat.id = accept_repeats.id;
      UPDATE verifications AS earlier SET repeat_ids = earlier.repeat_ids || accept_repeats.id WHERE earlier.id = first.id;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;
