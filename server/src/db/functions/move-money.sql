-- Credits or debits an account by hand. A reference, a reason and the name of the person are required: all three are in the log entry,
-- which commits with the money.
CREATE OR REPLACE FUNCTION move_money(
  p_account integer, p_is_credit boolean, p_amount bigint, p_reference text, p_reason text, p_operator text, p_address text,
  p_user_agent text, OUT outcome text, OUT entry_id bigint, OUT balance bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
  IF coalesce(trim(p_reference), '') = '' OR coalesce(trim(p_reason), '') = '' OR coalesce(trim(p_operator), '') = '' THEN
    RAISE EXCEPTION 'money is moved with a reference, a reason and an operator' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT recorded.outcome, recorded.entry_id, recorded.balance INTO outcome, entry_id, balance
  FROM record_payment(p_account, p_is_credit, p_amount, p_reference, p_reason, p_operator, p_address, p_user_agent) AS recorded;
END
$$;
