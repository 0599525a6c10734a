-- Charges lookups that carry idempotency keys: one whose key was charged before is free, and is returned as charged and
-- repeated. A key is found under any of its digests and written under the first; the account's lock, taken first, makes it
-- unique across partitions, as in accept_calls. It lives as long as a verification.
CREATE OR REPLACE FUNCTION charge_lookups_once(p_lookups jsonb)
RETURNS TABLE (ord integer, charged boolean, is_repeated boolean, balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  repeated boolean[];
BEGIN
  PERFORM FROM accounts
  WHERE id IN (SELECT (lookup ->> 'account_id')::integer FROM jsonb_array_elements(p_lookups) AS lookup)
  ORDER BY id FOR UPDATE;

  SELECT array_agg(EXISTS (
      SELECT FROM idempotency_keys AS used
      WHERE used.service_id = (listed.lookup ->> 'service_id')::integer AND used.digest = ANY (ARRAY(
        SELECT decode(hex, 'hex') FROM jsonb_array_elements_text(listed.lookup -> 'key_digests') AS hex)))
    ORDER BY listed.place)
  INTO repeated FROM jsonb_array_elements(p_lookups) WITH ORDINALITY AS listed(lookup, place);

  RETURN QUERY
  WITH charges AS MATERIALIZED (
    SELECT * FROM charge_lookups((
      SELECT jsonb_agg(CASE WHEN repeated[place] THEN lookup || '{"price": 0}' ELSE lookup END ORDER BY place)
      FROM jsonb_array_elements(p_lookups) WITH ORDINALITY AS listed(lookup, place)))
  ), keyed AS (
    INSERT INTO idempotency_keys (service_id, digest, id)
    SELECT (lookup ->> 'service_id')::integer, decode(lookup -> 'key_digests' ->> 0, 'hex'),
      next_id((lookup ->> 'account_id')::integer % 64)
    FROM jsonb_array_elements(p_lookups) WITH ORDINALITY AS listed(lookup, place) JOIN charges ON charges.ord = listed.place
    WHERE charges.charged AND NOT repeated[place] AND (lookup ->> 'price')::bigint > 0
      AND lookup -> 'key_digests' ->> 0 IS NOT NULL
  )
  SELECT charges.ord, charges.charged, repeated[charges.ord], charges.balance FROM charges;
END
$$;
