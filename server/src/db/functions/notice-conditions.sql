-- What the people of this database's accounts should know now. Details are for the message; they contain no number.
CREATE OR REPLACE FUNCTION find_notice_conditions()
RETURNS TABLE (account_id integer, kind text, subject text, details jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET jit = off
AS $$
  SELECT found.account_id, 'low-balance', '', found.details || jsonb_build_object('account', account.name)
  FROM find_low_balances() AS found JOIN accounts AS account ON account.id = found.account_id
  UNION ALL
  SELECT service.account_id, found.kind, found.subject,
    found.details || jsonb_build_object('service', service.name, 'account', account.name)
  FROM (
    SELECT service_id, 'failure-spike' AS kind, service_id::text AS subject, details FROM find_failure_spikes()
    UNION ALL
    SELECT service_id, 'webhook-failing', service_id::text, '{}' FROM find_failing_webhooks()
    UNION ALL
    SELECT service_id, 'key-unused', concat(service_id, ' ', details ->> 'key'), details FROM find_unused_keys()
  ) AS found JOIN services AS service ON service.id = found.service_id JOIN accounts AS account ON account.id = service.account_id
  WHERE service.state = 'on'
$$;

-- Less than three days are left at the rate of the last seven.
CREATE OR REPLACE FUNCTION find_low_balances() RETURNS TABLE (account_id integer, details jsonb)
LANGUAGE sql STABLE
AS $$
  SELECT account.id, jsonb_build_object('balance', account.balance, 'days', floor(account.balance * 7.0 / spent.week)::integer)
  FROM (
    SELECT counted.account_id, sum(counted.charged) AS week
    FROM (
      SELECT account_id, charged FROM call_hours WHERE hour >= clock_timestamp() - interval '7 days' AND charged > 0
      UNION ALL
      SELECT account_id, charged FROM call_minutes WHERE minute >= clock_timestamp() - interval '7 days' AND charged > 0
    ) AS counted GROUP BY 1
  ) AS spent JOIN accounts AS account ON account.id = spent.account_id
  WHERE account.balance * 7 < spent.week * 3
$$;

-- Of at least twenty calls of the last half-hour more than half failed, and at least twice the share of the last week.
CREATE OR REPLACE FUNCTION find_failure_spikes() RETURNS TABLE (service_id integer, details jsonb)
LANGUAGE sql STABLE
AS $$
  SELECT recent.service_id, jsonb_build_object('calls', recent.calls, 'failed', recent.failed)
  FROM (
    SELECT service_id, account_id, sum(calls) AS calls, coalesce(sum(calls) FILTER (WHERE state = 'failed'), 0) AS failed
    FROM call_minutes
    WHERE minute >= clock_timestamp() - interval '30 minutes' AND NOT is_test AND mode <> 'inbound' GROUP BY 1, 2
  ) AS recent LEFT JOIN LATERAL (
    SELECT sum(calls) AS calls, coalesce(sum(calls) FILTER (WHERE state = 'failed'), 0) AS failed
    FROM call_hours AS usual
    WHERE usual.account_id = recent.account_id AND usual.service_id = recent.service_id
      AND hour >= clock_timestamp() - interval '7 days' AND NOT is_test AND mode <> 'inbound'
  ) AS week ON true
  WHERE recent.calls >= 20 AND recent.failed * 2 > recent.calls
    AND coalesce(week.failed / nullif(week.calls, 0), 0) * 2 <= recent.failed / recent.calls
$$;

-- A webhook of the last day was given up or failed five times, and no later one of the service arrived.
CREATE OR REPLACE FUNCTION find_failing_webhooks() RETURNS TABLE (service_id integer)
LANGUAGE sql STABLE
AS $$
  SELECT DISTINCT failing.service_id FROM webhooks AS failing
  WHERE NOT failing.is_test AND failing.called_at > clock_timestamp() - interval '24 hours'
    AND (failing.state = 'dead' OR failing.state = 'due' AND failing.attempts - failing.attempts_before >= 5)
    AND NOT EXISTS (
      SELECT FROM webhooks AS later
      WHERE later.service_id = failing.service_id AND later.id > failing.id AND later.state = 'delivered')
$$;

-- A key that still works and that nobody has used for thirty days.
CREATE OR REPLACE FUNCTION find_unused_keys() RETURNS TABLE (service_id integer, details jsonb)
LANGUAGE sql STABLE
AS $$
  SELECT service_id, jsonb_build_object('key', name,
    'days', floor(extract(epoch FROM clock_timestamp() - coalesce(last_used_at, created_at)) / 86400)::integer)
  FROM api_keys
  WHERE replaced_at IS NULL AND coalesce(valid_until, 'infinity') > clock_timestamp()
    AND coalesce(last_used_at, created_at) < clock_timestamp() - interval '30 days'
$$;
