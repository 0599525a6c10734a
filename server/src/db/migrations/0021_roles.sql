-- Who may do what, all of it here: one group role for each role of a process, and ringproof_operator for the CLI. A login
-- belongs to the groups it needs; ringproof_app, one login for everything, to all of them. Nothing is granted to it or to
-- PUBLIC. `tests/integration/roles.test.ts` holds these rights against its own list, so a new table or function is decided on.
--
-- Money moves in functions that run as the owner (SECURITY DEFINER): no group may write accounts.balance, the ledger or a
-- verification by itself. Roles belong to the whole server, so they are made before: `ringproof migrate` says how.

-- What everybody may create in, a function of the owner would look in. A database that came from PostgreSQL 14 or older
-- still lets PUBLIC create here, and its schema may belong to somebody else; then only its owner can take that right away.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_namespace, aclexplode(nspacl) AS a
             WHERE nspname = 'public' AND a.grantee = 0 AND a.privilege_type = 'CREATE') THEN
    RAISE EXCEPTION 'everybody may create objects in the schema public of this database'
      USING HINT = 'As a superuser in this database: REVOKE CREATE ON SCHEMA public FROM PUBLIC';
  END IF;
END
$$;

-- Before this file, rights were given where a thing is made.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, ringproof_app;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM PUBLIC, ringproof_app;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC, ringproof_app;
REVOKE ALL ON SCHEMA public FROM ringproof_app;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

GRANT USAGE ON SCHEMA public TO ringproof_api, ringproof_calls, ringproof_webhooks, ringproof_keeper, ringproof_operator;

-- A payment, or money that is given back: the entry and the balance together. The caller holds the account's lock.
CREATE FUNCTION enter_at_till(p_account integer, p_is_credit boolean, p_amount bigint, OUT entry_id bigint, OUT balance bigint)
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  entry_id := next_id(p_account % 64);
  INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount)
  VALUES (entry_id, 1, p_account, CASE WHEN p_is_credit THEN 'external' ELSE 'available' END::ledger_account,
    CASE WHEN p_is_credit THEN 'available' ELSE 'external' END::ledger_account, p_amount);
  UPDATE accounts AS a SET balance = a.balance + CASE WHEN p_is_credit THEN p_amount ELSE -p_amount END
  WHERE a.id = p_account RETURNING a.balance INTO balance;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'account % does not exist', p_account USING ERRCODE = 'foreign_key_violation';
  END IF;
END
$$;

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY '{accept_calls,start_inbound_requests,undo_calls,pin_verifications,reserve_numbers,confirm_number,close_number,
    charge_lookups,claim_calls,note_rang,end_calls,match_inbound_calls,count_return_paths,enter_at_till}'::text[]
  LOOP
    EXECUTE format('ALTER FUNCTION %I SECURITY DEFINER', name);
  END LOOP;
END
$$;

-- Every process asks at its start whether the database is as new as itself, makes the partitions that are due, and watches
-- the database's clock.
GRANT SELECT ON migrations TO ringproof_api, ringproof_calls, ringproof_webhooks, ringproof_keeper, ringproof_operator;
GRANT EXECUTE ON FUNCTION make_partitions, clock_lead, is_clock_trusted
  TO ringproof_api, ringproof_calls, ringproof_webhooks, ringproof_keeper, ringproof_operator;

-- The API: knows its clients and where calls can go, starts verifications and shows them.
GRANT SELECT ON accounts, services, api_keys, service_usage, action_log, tariffs, tariff_prices, trunks, caller_ranges,
  confirmation_numbers, verifications, idempotency_keys TO ringproof_api;
GRANT UPDATE (last_used_at) ON api_keys TO ringproof_api;
GRANT EXECUTE ON FUNCTION accept_calls, start_inbound_requests, undo_calls, pin_verifications, reserve_numbers, confirm_number,
  close_number, charge_lookups TO ringproof_api;

-- Telephony nodes: claim a call, note that it rings, end it, match an inbound call, report on trunks.
GRANT SELECT ON tariffs, tariff_prices, trunks, caller_ranges, confirmation_numbers, inbound_requests TO ringproof_calls;
GRANT SELECT (id, account_id) ON verifications TO ringproof_calls;
GRANT SELECT, INSERT, UPDATE ON trunk_states TO ringproof_calls;
GRANT EXECUTE ON FUNCTION claim_calls, note_rang, end_calls, match_inbound_calls, close_number, count_return_paths
  TO ringproof_calls;

-- Webhook workers: claim what is due, sign it, write down what came of it.
GRANT SELECT ON webhooks TO ringproof_webhooks;
GRANT UPDATE (state, reason, due_at, attempts, ended_at) ON webhooks TO ringproof_webhooks;
GRANT INSERT ON webhook_attempts TO ringproof_webhooks;
GRANT SELECT (id, webhook_secret_sealed, webhook_secret_before_sealed, webhook_secret_before_until) ON services
  TO ringproof_webhooks;

-- The keeper: ends what is overdue and deletes what is old, never less than a week of it.
GRANT EXECUTE ON FUNCTION sweep_calls, sweep_inbound_requests, keep_partitions, keep_days, forget_numbers, forget_webhooks
  TO ringproof_keeper;

-- The operator's CLI: reads everything, sets up accounts, services, prices and trunks, enters payments.
GRANT SELECT ON ALL TABLES IN SCHEMA public TO ringproof_operator;
GRANT INSERT (id, email, tariff), UPDATE (tariff, blocked_at, active_at) ON accounts TO ringproof_operator;
GRANT INSERT ON account_emails, action_log, tariff_prices, payment_references TO ringproof_operator;
GRANT UPDATE ON slot_counters TO ringproof_operator;
GRANT INSERT, UPDATE ON services, tariffs TO ringproof_operator;
GRANT INSERT, UPDATE, DELETE ON api_keys, trunks TO ringproof_operator;
GRANT INSERT, DELETE ON caller_ranges, confirmation_numbers TO ringproof_operator;
GRANT DELETE ON trunk_return_paths TO ringproof_operator;
GRANT UPDATE (state, reason, due_at, ended_at, attempts_before) ON webhooks TO ringproof_operator;
GRANT EXECUTE ON FUNCTION enter_at_till, confirm_clock TO ringproof_operator;
-- Seals anew what a retired key has sealed.
GRANT UPDATE (person_sealed) ON verifications TO ringproof_operator;
GRANT UPDATE (callback_sealed) ON inbound_requests, webhooks TO ringproof_operator;
