-- Credits a payment once. The same reference with the same amount again changes nothing; with another amount it is a conflict. The
-- API may call this and nothing else that adds money: it cannot take any, and every payment leaves its reference and its log entry.
CREATE OR REPLACE FUNCTION credit_payment(
  p_account integer, p_reference text, p_amount bigint, p_address text, OUT outcome text, OUT entry_id bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  money bigint;
  known payment_references;
BEGIN
  -- Repetitions at the same moment wait here, and then find the reference of the first.
  SELECT account.balance + account.held INTO money FROM accounts AS account WHERE account.id = p_account FOR UPDATE;
  IF NOT FOUND THEN
    outcome := 'unknown-account';
    RETURN;
  END IF;
  SELECT paid.* INTO known FROM payment_references AS paid
  WHERE paid.account_id = p_account AND paid.reference = p_reference;
  IF FOUND THEN
    entry_id := known.entry_id;
    outcome := CASE WHEN known.from_account = 'external' AND known.amount = p_amount THEN 'repeated' ELSE 'other-payment' END;
    RETURN;
  END IF;
  IF money + p_amount > 1000000000000000 THEN
    outcome := 'too-much';
    RETURN;
  END IF;
  SELECT recorded.entry_id INTO entry_id FROM record_payment(p_account, true, p_amount) AS recorded;
  INSERT INTO payment_references (account_id, reference, entry_id, from_account, amount)
  VALUES (p_account, p_reference, entry_id, 'external', p_amount);
  INSERT INTO action_log (account_id, action, details, address)
  VALUES (p_account, 'account credited', jsonb_build_object('roubles', trim_scale(p_amount::numeric / 1000000)::text,
    'entry', entry_id, 'reference', p_reference), p_address);
  outcome := 'credited';
END
$$;
