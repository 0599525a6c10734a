-- What is written at every call is found by its key, whatever the statistics say. A day's partition begins empty, and so
-- does a fresh database; a session that plans then keeps a plan that reads whole tables, until somebody has counted the
-- rows anew, while the table grows under it. Where there is nothing but to read a whole table (the sequence of ids has one
-- row) that plan has a price beyond all bounds, for which PostgreSQL would compile it: a fifth of a second, for nothing. And
-- a plan that cannot be another one need not be made anew at every call; what names single verifications has a better one,
-- that knows their day.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY '{accept_calls,claim_calls,note_rang,end_calls,undo_calls,reserve_numbers,confirm_number,
    close_number,charge_lookups,start_inbound_request,start_inbound_requests,match_inbound_calls}'::text[]
  LOOP
    EXECUTE format('ALTER FUNCTION %I SET enable_seqscan = off', name);
    EXECUTE format('ALTER FUNCTION %I SET enable_hashjoin = off', name);
    EXECUTE format('ALTER FUNCTION %I SET enable_mergejoin = off', name);
    EXECUTE format('ALTER FUNCTION %I SET jit = off', name);
    IF name NOT IN ('undo_calls', 'start_inbound_request', 'start_inbound_requests') THEN
      EXECUTE format('ALTER FUNCTION %I SET plan_cache_mode = force_generic_plan', name);
    END IF;
  END LOOP;
END
$$;
