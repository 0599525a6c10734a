-- Charges a batch of look-ups, each at once and whole: nothing is held, because nothing can fail behind it. One that costs
-- more than is left is not charged and has changed nothing when the next is evaluated. A look-up that costs nothing is only
-- noted. Accounts are locked in their order, as everywhere.
CREATE OR REPLACE FUNCTION charge_lookups(p_lookups jsonb)
RETURNS TABLE (ord integer, charged boolean, balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  account_ids integer[];
  balances bigint[];
  ids bigint[] := '{}';
  afters bigint[] := '{}';
  q record;
  a integer;
BEGIN
  SELECT array_agg(l.id), array_agg(l.balance) INTO account_ids, balances
  FROM (SELECT c.id, c.balance FROM accounts AS c
        WHERE c.id IN (SELECT (e ->> 'account_id')::integer FROM jsonb_array_elements(p_lookups) AS e)
        ORDER BY c.id FOR UPDATE) AS l;

  FOR q IN
    SELECT r.* FROM jsonb_array_elements(p_lookups) WITH ORDINALITY AS t(e, o),
      jsonb_to_record(e) AS r(account_id integer, price bigint) ORDER BY o
  LOOP
    a := array_position(account_ids, q.account_id);
    IF q.price > balances[a] THEN
      ids := ids || NULL::bigint;
    ELSE
      balances[a] := balances[a] - q.price;
      ids := ids || next_id(q.account_id % 64);
    END IF;
    afters := afters || balances[a];
  END LOOP;

  INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
  SELECT ids[o], 1, r.account_id, 'available', 'revenue', r.price
  FROM jsonb_array_elements(p_lookups) WITH ORDINALITY AS t(e, o),
    jsonb_to_record(e) AS r(account_id integer, price bigint)
  WHERE ids[o] IS NOT NULL AND r.price > 0;

  UPDATE accounts AS c SET balance = w.balance
  FROM unnest(account_ids, balances) AS w(id, balance) WHERE c.id = w.id AND c.balance <> w.balance;

  INSERT INTO service_usage AS s (service_id, last_request_at)
  SELECT (e ->> 'service_id')::integer, clock_timestamp()
  FROM jsonb_array_elements(p_lookups) WITH ORDINALITY AS t(e, o) WHERE ids[o] IS NOT NULL GROUP BY 1 ORDER BY 1
  ON CONFLICT (service_id) DO UPDATE SET last_request_at = greatest(s.last_request_at, excluded.last_request_at);

  RETURN QUERY SELECT o::integer, w.id IS NOT NULL, w.after
  FROM unnest(ids, afters) WITH ORDINALITY AS w(id, after, o);
END
$$;
