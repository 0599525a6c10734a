-- Processes cache what they know about API clients. A change to what a key may do is sent to all of them when it commits: 's'
-- and the service's ID, or 'a' and the account's, for all its services. Balances and times of last use are left out: they
-- change all the time, and NOTIFY takes a lock. Arguments of the trigger: the letter, and the column that holds the ID.
CREATE OR REPLACE FUNCTION notify_clients_changed() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM pg_notify('clients_changed', TG_ARGV[0] || (to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[1]));
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER notify_clients_changed AFTER INSERT OR UPDATE OF scopes, valid_until OR DELETE ON api_keys
  FOR EACH ROW EXECUTE FUNCTION notify_clients_changed('s', 'service_id');

CREATE OR REPLACE TRIGGER notify_clients_changed AFTER UPDATE OF
  name, use_direction, state, addresses, status_style, id_alias, repeats, plain_http, requests_per_second, geography, modes,
  calls_per_number_10_minutes, calls_per_number_day, verifications_hour_max, verifications_day_max, spend_day_max,
  prefix_hour_max, quiet_hours, time_zone, test_numbers, inbound_seconds, language, provider_modes
  ON services FOR EACH ROW EXECUTE FUNCTION notify_clients_changed('s', 'id');

CREATE OR REPLACE TRIGGER notify_clients_changed AFTER UPDATE OF blocked_at, must_verify_phone, tariff, email ON accounts
  FOR EACH ROW EXECUTE FUNCTION notify_clients_changed('a', 'id');
