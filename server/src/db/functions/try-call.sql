-- Whether a call start would be accepted now, for a person who tests the rules of a service. The steps that decide are those of
-- accept_calls; the step that writes is left out, and the locks and rows of the deciding steps are rolled back.
CREATE OR REPLACE FUNCTION try_call(p_request json, p_scale float8, OUT decision text, OUT retry_ms float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  requests CONSTANT call_request[] := ARRAY[json_populate_record(NULL::call_request, p_request)];
  outcomes call_outcomes;
BEGIN
  BEGIN
    outcomes := evaluate_call_batch(requests, lock_call_batch(requests), p_scale);
    decision := outcomes.decisions[1];
    retry_ms := outcomes.retries_ms[1];
    RAISE EXCEPTION USING ERRCODE = 'RING0';
  EXCEPTION WHEN SQLSTATE 'RING0' THEN
    -- Variables keep their values, rows do not.
    NULL;
  END;
END
$$;

-- The same for a number whose limits are in another database than the account.
CREATE OR REPLACE FUNCTION try_reservation(p_reservation json, p_scale float8, OUT decision text, OUT retry_ms float8)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
BEGIN
  BEGIN
    SELECT reserved.decision, reserved.retry_ms INTO decision, retry_ms
    FROM reserve_numbers(json_build_array(p_reservation), p_scale) AS reserved;
    RAISE EXCEPTION USING ERRCODE = 'RING0';
  EXCEPTION WHEN SQLSTATE 'RING0' THEN
    NULL;
  END;
END
$$;
