-- What a database has in progress and what is late, for the metrics of the keeper. Reads no old days: from the mark of the sweep on.
CREATE OR REPLACE FUNCTION measure_database(
  OUT held bigint, OUT active bigint, OUT overdue bigint, OUT overdue_seconds float8, OUT inbound bigint, OUT webhooks_due bigint,
  OUT webhook_seconds float8)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET jit = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  mark_id CONSTANT bigint := (SELECT from_id FROM sweep_marks);
  now_at CONSTANT timestamptz := clock_timestamp();
BEGIN
  SELECT coalesce(sum(account.held), 0) INTO held FROM accounts AS account;
  SELECT count(*), count(*) FILTER (WHERE call.due <= now_at),
    coalesce(extract(epoch FROM now_at - min(call.due) FILTER (WHERE call.due <= now_at)), 0)
  INTO active, overdue, overdue_seconds
  FROM (SELECT CASE WHEN state = 'accepted' THEN start_until ELSE end_until END AS due FROM verifications
        WHERE id >= mark_id AND state IN ('accepted', 'dialling')) AS call;
  SELECT count(*) INTO inbound FROM inbound_requests AS request WHERE request.is_active;
  SELECT count(*), greatest(0, coalesce(extract(epoch FROM now_at - min(webhook.due_at)), 0))
  INTO webhooks_due, webhook_seconds FROM webhooks AS webhook WHERE webhook.state = 'due';
END
$$;
