-- Credits a payment that the payment page reports, once. The same reference with the same amount again changes nothing; with another
-- amount it is a conflict. The API may call this and nothing else that adds money, and it cannot take any.
CREATE OR REPLACE FUNCTION credit_payment(
  p_account integer, p_reference text, p_amount bigint, p_address text, OUT outcome text, OUT entry_id bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT recorded.outcome, recorded.entry_id
  FROM record_payment(p_account, true, p_amount, p_reference, 'reported by the payment page', '', p_address, '') AS recorded
$$;
