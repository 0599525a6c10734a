-- A payment or a refund: the ledger entry and the balance together. The session holds the account's lock.
CREATE OR REPLACE FUNCTION record_payment(
  p_account integer, p_is_credit boolean, p_amount bigint, OUT entry_id bigint, OUT balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  entry_id := next_id(p_account % 64);
  INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
  VALUES (entry_id, 1, p_account, CASE WHEN p_is_credit THEN 'external' ELSE 'available' END::ledger_account,
    CASE WHEN p_is_credit THEN 'available' ELSE 'external' END::ledger_account, p_amount);
  UPDATE accounts AS account SET balance = account.balance + CASE WHEN p_is_credit THEN p_amount ELSE -p_amount END
  WHERE account.id = p_account RETURNING account.balance INTO balance;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % does not exist', p_account USING ERRCODE = 'foreign_key_violation';
  END IF;
END
$$;
