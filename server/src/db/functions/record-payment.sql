-- A payment or a refund: ledger entry, balance, reference and log entry together, once for each reference of an account. No process
-- and no person may execute this, only the functions that say who asks: credit_payment and move_money.
CREATE OR REPLACE FUNCTION record_payment(
  p_account integer, p_is_credit boolean, p_amount bigint, p_reference text, p_reason text, p_operator text, p_address text,
  p_user_agent text, OUT outcome text, OUT entry_id bigint, OUT balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  source ledger_account := CASE WHEN p_is_credit THEN 'external' ELSE 'available' END;
  held bigint;
  known payment_references;
BEGIN
  -- Repetitions at the same moment wait here, and then find the reference of the first.
  SELECT account.balance, account.held INTO balance, held FROM accounts AS account WHERE account.id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    outcome := 'unknown-account';
    RETURN;
  END IF;
  SELECT paid.* INTO known FROM payment_references AS paid
  WHERE paid.account_id = p_account AND paid.reference = p_reference;
  IF FOUND THEN
    entry_id := known.entry_id;
    outcome := CASE WHEN known.from_account = source AND known.amount = p_amount THEN 'repeated' ELSE 'other-payment' END;
    RETURN;
  END IF;
  outcome := CASE WHEN NOT p_is_credit AND p_amount > balance THEN 'too-little'
    WHEN p_is_credit AND balance + held + p_amount > 1000000000000000 THEN 'too-much' ELSE 'recorded' END;
  IF outcome <> 'recorded' THEN
    RETURN;
  END IF;
  entry_id := next_id(p_account % 64);
  INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
  VALUES (entry_id, 1, p_account, source, CASE WHEN p_is_credit THEN 'available' ELSE 'external' END::ledger_account, p_amount);
  UPDATE accounts AS account SET balance = account.balance + CASE WHEN p_is_credit THEN p_amount ELSE -p_amount END,
    active_at = clock_timestamp()
  WHERE account.id = p_account RETURNING account.balance INTO balance;
  INSERT INTO payment_references (account_id, reference, entry_id, from_account, amount)
  VALUES (p_account, p_reference, entry_id, source, p_amount);
  INSERT INTO action_log (account_id, action, details, address, user_agent, operator)
  VALUES (p_account, CASE WHEN p_is_credit THEN 'account credited' ELSE 'account debited' END,
    jsonb_build_object('amount', trim_scale(p_amount::numeric / 1000000)::text, 'entry', entry_id, 'reference', p_reference,
      'reason', p_reason), p_address, p_user_agent, p_operator);
END
$$;
