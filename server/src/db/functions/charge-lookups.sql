-- Charges a batch of lookups, each at once and in full: nothing is held, because nothing can fail afterwards. A lookup that
-- costs more than the balance is not charged and changes nothing. A free lookup is only counted as a request of the service.
-- Accounts are locked in order, as in every function.
CREATE OR REPLACE FUNCTION charge_lookups(p_lookups jsonb)
RETURNS TABLE (ord integer, charged boolean, balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET enable_memoize = off SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  account_ids integer[];
  balances bigint[];
  ids bigint[] := '{}';
  balances_after bigint[] := '{}';
  lookup record;
  account integer;
BEGIN
  SELECT array_agg(locked.id), array_agg(locked.balance) INTO account_ids, balances
  FROM (SELECT id, balance FROM accounts
        WHERE id IN (SELECT (lookup ->> 'account_id')::integer FROM jsonb_array_elements(p_lookups) AS lookup)
        ORDER BY id FOR UPDATE) AS locked;

  FOR lookup IN
    SELECT request.* FROM jsonb_array_elements(p_lookups) WITH ORDINALITY AS listed(lookup, place),
      jsonb_to_record(listed.lookup) AS request(account_id integer, price bigint) ORDER BY listed.place
  LOOP
    account := array_position(account_ids, lookup.account_id);
    IF lookup.price > balances[account] THEN
      ids := ids || NULL::bigint;
    ELSE
      balances[account] := balances[account] - lookup.price;
      ids := ids || next_id(lookup.account_id % 64);
    END IF;
    balances_after := balances_after || balances[account];
  END LOOP;

  INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
  SELECT ids[listed.place], 1, request.account_id, 'available', 'revenue', request.price
  FROM jsonb_array_elements(p_lookups) WITH ORDINALITY AS listed(lookup, place),
    jsonb_to_record(listed.lookup) AS request(account_id integer, price bigint)
  WHERE ids[listed.place] IS NOT NULL AND request.price > 0;

  UPDATE accounts AS account SET balance = after.balance
  FROM unnest(account_ids, balances) AS after(id, balance)
  WHERE account.id = after.id AND account.balance <> after.balance;

  INSERT INTO service_usage AS usage (service_id, last_request_at)
  SELECT (listed.lookup ->> 'service_id')::integer, clock_timestamp()
  FROM jsonb_array_elements(p_lookups) WITH ORDINALITY AS listed(lookup, place)
  WHERE ids[listed.place] IS NOT NULL GROUP BY 1 ORDER BY 1
  ON CONFLICT (service_id) DO UPDATE SET last_request_at = greatest(usage.last_request_at, excluded.last_request_at);

  RETURN QUERY SELECT place::integer, id IS NOT NULL, balance_after
  FROM unnest(ids, balances_after) WITH ORDINALITY AS charged(id, balance_after, place);
END
$$;
