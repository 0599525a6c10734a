-- Who may do what, all of it: one group role for each role of a process, and ringproof_operator for the CLI. A login is a
-- member of the groups it needs; ringproof_app, one login for everything, of all of them. Nothing is granted to ringproof_app
-- or to PUBLIC. tests/integration/roles.test.ts has a separate list, so every new table or function needs a decision.
--
-- Money moves in functions that run as the owner (SECURITY DEFINER): no group may write accounts.balance, the ledger or a
-- verification directly. Roles belong to the whole server and exist before: `ringproof migrate` prints how to create them.
--
-- `ringproof migrate` applies this file whenever a migration, a function or this file has changed. It has revoked every right
-- of the groups before, so what is not here is not granted.

GRANT USAGE ON SCHEMA public TO ringproof_api, ringproof_calls, ringproof_webhooks, ringproof_keeper, ringproof_web, ringproof_operator;

-- Every process checks at its start that the database is up to date and written with its keys, creates the partitions that are due,
-- and watches the database's clock.
GRANT SELECT ON migrations, repeatable_migrations, schema_version, slot_moves, key_checks
  TO ringproof_api, ringproof_calls, ringproof_webhooks, ringproof_keeper, ringproof_web, ringproof_operator;
GRANT EXECUTE ON FUNCTION make_partitions, clock_lead, is_clock_trusted, is_slot_here, record_key_rings, sealed_samples, has_verifications
  TO ringproof_api, ringproof_calls, ringproof_webhooks, ringproof_keeper, ringproof_web, ringproof_operator;

-- Each process compares the currency of its configuration with that of the database.
GRANT SELECT (currency, purpose) ON installation TO ringproof_api, ringproof_calls, ringproof_webhooks;

-- The API authenticates its clients, knows where calls can go, starts verifications and shows them.
GRANT SELECT ON accounts, services, api_keys, service_usage, action_log, tariffs, tariff_prices, trunks, trunk_stops,
  caller_ranges, caller_quarantines, confirmation_numbers, verifications, idempotency_keys, opt_outs, prefix_breakers,
  full_prefixes, virtual_phones, switch_overs TO ringproof_api;
GRANT UPDATE (last_used_at) ON api_keys TO ringproof_api;
GRANT SELECT, INSERT, UPDATE (hits) ON fraud_hits TO ringproof_api;
GRANT SELECT, INSERT, UPDATE (hits, last_at) ON fraud_rule_hours TO ringproof_api;
-- What the rules over prefixes let through.
GRANT SELECT ON fraud_limits, allowed_prefixes TO ringproof_api, ringproof_calls, ringproof_keeper, ringproof_web;
GRANT SELECT, INSERT, UPDATE ON client_hints TO ringproof_api;
GRANT INSERT ON api_requests TO ringproof_api;
GRANT SELECT, INSERT, UPDATE (requests, last_at) ON api_request_counts TO ringproof_api;
GRANT EXECUTE ON FUNCTION accept_calls, accept_repeats, start_inbound_requests, undo_calls, pin_verifications, reserve_numbers,
  close_numbers, find_idempotency_keys, charge_lookups TO ringproof_api;
-- Ladders, and the worker that moves them.
GRANT SELECT ON ladders TO ringproof_api;
GRANT EXECUTE ON FUNCTION accept_ladders, accept_rung, check_ladder, cancel_ladder, take_due_ladders,
  skip_ladder_mode, delay_ladder TO ringproof_api;
-- What the operator's payment page reports arrives here.
GRANT SELECT ON payment_settings TO ringproof_api;
GRANT SELECT, INSERT ON page_payments TO ringproof_api;
GRANT EXECUTE ON FUNCTION credit_payment TO ringproof_api;

-- Telephony nodes claim a call, note that it rings, end it, match an inbound call, report on trunks.
GRANT SELECT ON tariffs, tariff_prices, trunks, trunk_stops, caller_ranges, caller_quarantines, confirmation_numbers,
  inbound_requests, prefix_breakers, full_prefixes, virtual_phones, virtual_phone_faults, switch_overs TO ringproof_calls;
GRANT SELECT (id, account_id, price) ON verifications TO ringproof_calls;
GRANT SELECT, INSERT, UPDATE ON trunk_states, route_minutes TO ringproof_calls;
GRANT SELECT, UPDATE (rang_after_ms, messages, outcome, sip_status, ended_at) ON trunk_tests TO ringproof_calls;
GRANT INSERT ON sip_messages TO ringproof_calls;
GRANT EXECUTE ON FUNCTION claim_calls, note_rang, end_calls, match_inbound_calls, close_numbers, count_return_paths,
  count_unmatched_calls, note_test_call
  TO ringproof_calls;

-- Webhook workers claim what is due, sign it and record the result.
GRANT SELECT ON webhooks TO ringproof_webhooks;
GRANT UPDATE (state, reason, due_at, attempts, ended_at) ON webhooks TO ringproof_webhooks;
GRANT INSERT ON webhook_attempts TO ringproof_webhooks;
GRANT SELECT (id, account_id, webhook_secret_sealed, webhook_secret_before_sealed, webhook_secret_before_until) ON services
  TO ringproof_webhooks;
GRANT SELECT ON virtual_phone_faults TO ringproof_webhooks;

-- The keeper ends what is overdue and deletes what is old, never a verification or money of the last days.
GRANT EXECUTE ON FUNCTION sweep_calls, sweep_inbound_requests, keep_partitions, keep_days, forget_numbers, forget_webhooks,
  forget_prefix_usage, forget_fraud_hits, forget_sip_messages, count_calls, forget_call_counts, drop_api_request_hour,
  forget_api_request_counts, roll_up_prefixes, prefix_windows, prefix_sums, measure_database, chain_actions TO ringproof_keeper;
GRANT SELECT, INSERT, UPDATE, DELETE ON prefix_breakers, full_prefixes, fraud_progress TO ringproof_keeper;
-- It switches traffic over between trunks.
GRANT SELECT, DELETE ON route_minutes TO ringproof_keeper;
GRANT SELECT, INSERT, UPDATE, DELETE ON route_usuals, switch_overs TO ringproof_keeper;
GRANT SELECT, UPDATE (evaluated_at, usual_to) ON switch_over_control TO ringproof_keeper;
GRANT SELECT ON trunks, caller_ranges, caller_quarantines, trunk_states TO ringproof_keeper;
GRANT INSERT ON action_log TO ringproof_keeper;
-- It writes to an account's people.
GRANT EXECUTE ON FUNCTION find_notice_conditions TO ringproof_keeper;
GRANT SELECT, INSERT, UPDATE, DELETE ON notice_conditions, notice_messages TO ringproof_keeper;
GRANT SELECT ON notice_mutes, notice_webhooks, memberships, installation TO ringproof_keeper;
GRANT SELECT (id, email, language, telegram_id, telegram_since) ON users TO ringproof_keeper;

-- The web pages: people, their sessions, and what an account's own people may set. Of money a customer's people move only the price of
-- a number check, and each number of it once.
GRANT SELECT, INSERT, UPDATE, DELETE ON memberships, web_sessions, one_time_links, recovery_codes, passkeys, telegram_codes,
  sign_in_failures TO ringproof_web;
-- Of a person everything but what they may do in the console: that a function writes, with the log entry.
GRANT SELECT, DELETE, INSERT (email, name, language, password_hash, terms_version, terms_accepted_at, signed_up_at),
  UPDATE (name, language, password_hash, totp_sealed, totp_since, totp_step, telegram_id, telegram_name, telegram_since, browser_generation)
  ON users TO ringproof_web;
GRANT EXECUTE ON FUNCTION set_operator_role TO ringproof_web;
GRANT SELECT, UPDATE ON payment_settings TO ringproof_web;
GRANT SELECT, UPDATE (name, support_address, terms_url, privacy_url, terms_version, is_sign_up_open, purpose) ON installation TO ringproof_web;
GRANT SELECT ON accounts, account_emails, services, api_keys, service_usage, action_log, action_chain, client_hints, start_steps, tariffs,
  verifications, webhooks, webhook_attempts, api_requests, api_request_counts TO ringproof_web;
GRANT INSERT (id, email, tariff), UPDATE (name, time_zone, two_auth, telegram_id, must_verify_phone, active_at, closed_at) ON accounts
  TO ringproof_web;
-- Customers in the console: an admin credits and debits, by the function that writes ledger and log together.
GRANT UPDATE (tariff, blocked_at) ON accounts TO ringproof_web;
GRANT EXECUTE ON FUNCTION move_money TO ringproof_web;
GRANT SELECT (minute, rule, service_id, hits) ON fraud_hits TO ringproof_web;
-- Tariffs in the console: prices and costs are followed by newer ones, never changed.
GRANT INSERT ON tariff_prices TO ringproof_web;
GRANT INSERT ON tariffs TO ringproof_web;
GRANT SELECT, INSERT ON trunk_costs TO ringproof_web;
-- Announcements are ended, never deleted.
GRANT SELECT ON announcements TO ringproof_web;
GRANT INSERT, UPDATE (ended_at, stop_began_at) ON announcements TO ringproof_web, ringproof_operator;
GRANT INSERT ON account_emails, action_log, start_steps TO ringproof_web;
GRANT UPDATE ON slot_counters TO ringproof_web;
GRANT SELECT ON slot_counters TO ringproof_web;
GRANT INSERT, UPDATE ON services TO ringproof_web;
GRANT INSERT, UPDATE, DELETE ON api_keys TO ringproof_web;
GRANT SELECT ON tariff_prices, trunks, call_minutes, call_hours, network_hours, call_count_marks, idempotency_keys, ledger, ledger_days, payment_references
  TO ringproof_web;
GRANT EXECUTE ON FUNCTION count_range, ring_delay_steps, charged_failures, is_conclusive, id_epoch, charge_lookups_once TO ringproof_web;
GRANT SELECT, INSERT, UPDATE ON legal_details TO ringproof_web;
GRANT SELECT, INSERT ON invoices TO ringproof_web;
GRANT SELECT ON sip_messages TO ringproof_web;
GRANT SELECT, INSERT, DELETE ON notice_mutes TO ringproof_web;
GRANT INSERT ON notice_messages TO ringproof_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON notice_webhooks TO ringproof_web;
-- Tests of a service's rules plan a call as the API does, and ask the database without a trace.
GRANT SELECT ON trunk_stops, caller_ranges, prefix_breakers, full_prefixes TO ringproof_web;
GRANT EXECUTE ON FUNCTION try_call, try_reservation TO ringproof_web;
-- The console: our own numbers.
GRANT SELECT, INSERT, DELETE ON caller_ranges, caller_quarantines TO ringproof_web;
GRANT SELECT, INSERT, UPDATE (removed_at), DELETE ON confirmation_numbers TO ringproof_web;
GRANT SELECT (id, account_id, is_test, confirmation_number, until, is_active) ON inbound_requests TO ringproof_web;
GRANT SELECT ON unmatched_calls TO ringproof_web;
GRANT SELECT, INSERT, UPDATE ON virtual_phones TO ringproof_web;
GRANT UPDATE (state, reason, due_at, ended_at, attempts_before) ON webhooks TO ringproof_web;
GRANT SELECT, INSERT, DELETE ON virtual_phone_faults TO ringproof_web;
-- Trunks, as operators change them in the console.
GRANT INSERT, UPDATE, DELETE ON trunks TO ringproof_web;
GRANT DELETE ON caller_ranges, confirmation_numbers TO ringproof_web;
GRANT INSERT, DELETE ON trunk_stops TO ringproof_web;
GRANT SELECT, DELETE ON trunk_return_paths TO ringproof_web;
GRANT SELECT ON trunk_states, confirmation_numbers TO ringproof_web;
GRANT SELECT, UPDATE ON switch_overs, switch_over_control TO ringproof_web;
GRANT SELECT ON route_minutes, sweep_marks TO ringproof_web;
GRANT SELECT, INSERT, DELETE, UPDATE (seen_digits) ON trunk_tests TO ringproof_web;
-- Protection, as operators change it in the console.
GRANT INSERT, UPDATE ON fraud_limits TO ringproof_web, ringproof_operator;
GRANT INSERT, DELETE ON allowed_prefixes TO ringproof_web, ringproof_operator;
GRANT UPDATE (phase, since) ON prefix_breakers TO ringproof_web, ringproof_operator;
GRANT SELECT ON fraud_hits, fraud_rule_hours TO ringproof_web;
GRANT SELECT, INSERT, DELETE ON opt_outs TO ringproof_web;

-- The operator's CLI reads every table (a partition is read through its parent), sets up accounts, services, prices and
-- trunks, and records payments.
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  LOOP
    EXECUTE format('GRANT SELECT ON %I TO ringproof_operator', name);
  END LOOP;
END
$$;
GRANT INSERT (id, email, tariff), UPDATE (tariff, blocked_at, closed_at, must_verify_phone, active_at, two_auth, telegram_id) ON accounts
  TO ringproof_operator;
GRANT UPDATE (totp_sealed, totp_since, telegram_id, telegram_name, telegram_since) ON users TO ringproof_operator;
GRANT DELETE ON recovery_codes, passkeys, web_sessions TO ringproof_operator;
GRANT INSERT ON account_emails, action_log, tariff_prices, trunk_costs, one_time_links TO ringproof_operator;
GRANT UPDATE ON slot_counters TO ringproof_operator;
GRANT UPDATE (purpose) ON installation TO ringproof_operator;
GRANT UPDATE (valid_until), DELETE ON one_time_links TO ringproof_operator;
GRANT INSERT, UPDATE ON services, tariffs TO ringproof_operator;
GRANT INSERT, UPDATE, DELETE ON api_keys, trunks TO ringproof_operator;
GRANT UPDATE (removed_at) ON confirmation_numbers TO ringproof_operator;
GRANT INSERT, DELETE ON caller_ranges, caller_quarantines, confirmation_numbers, trunk_stops, opt_outs TO ringproof_operator;
GRANT DELETE ON trunk_return_paths TO ringproof_operator;
GRANT UPDATE ON switch_overs, switch_over_control TO ringproof_operator;
GRANT UPDATE (state, reason, due_at, ended_at, attempts_before) ON webhooks TO ringproof_operator;
GRANT EXECUTE ON FUNCTION move_money, confirm_clock, erase_persons, erase_number, newest_moment, finish_restore, try_call,
  try_reservation, id_epoch TO ringproof_operator;
-- The support bundle counts the newest calls as the pages do.
GRANT EXECUTE ON FUNCTION count_range, ring_delay_steps, charged_failures, is_conclusive TO ringproof_operator;
-- Seals again what a retired key has sealed.
GRANT UPDATE (person_sealed) ON verifications TO ringproof_operator;
GRANT UPDATE (prefix_sealed) ON fraud_hits, allowed_prefixes TO ringproof_operator;
GRANT UPDATE (callback_sealed) ON inbound_requests, webhooks TO ringproof_operator;
GRANT UPDATE (url_sealed, secret_sealed) ON notice_webhooks TO ringproof_operator;
GRANT UPDATE (details_sealed) ON legal_details TO ringproof_operator;
GRANT UPDATE (buyer_sealed, paid_at) ON invoices TO ringproof_operator;

GRANT UPDATE ON payment_settings TO ringproof_operator;
-- Keys that are added, activated and destroyed.
GRANT INSERT, UPDATE (activated_at), DELETE ON key_checks TO ringproof_operator;
