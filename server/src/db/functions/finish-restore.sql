-- The last moment of which this database knows: that of its newest ID or action.
CREATE OR REPLACE FUNCTION newest_moment() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT greatest(to_timestamp((ticks.last_value >> 17) + id_epoch()), (SELECT created_at FROM action_log ORDER BY id DESC LIMIT 1))
  FROM id_ticks AS ticks
$$;

-- Run once after a restore from a backup, before calls start. What happened after the moment restored to is not known, so:
--   calls active at that moment end at the next sweep and are not dialled again: they were, after it;
--   sessions and links end, because those that were revoked after it would be valid again;
--   IDs of accounts and services that were created after it are not given out a second time. IDs of verifications contain the
--   time and never repeat.
CREATE OR REPLACE FUNCTION finish_restore(OUT finished_at timestamptz, OUT restored_to timestamptz, OUT calls integer, OUT sessions integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  -- More than any installation creates in a slot between two backups; a slot has 33 million.
  skipped constant integer := 10000;
BEGIN
  finished_at := clock_timestamp();
  restored_to := least(newest_moment(), finished_at);
  UPDATE verifications SET start_until = least(start_until, finish_restore.finished_at), end_until = least(end_until, finish_restore.finished_at)
  WHERE state IN ('accepted', 'dialling') AND id >= (SELECT from_id FROM sweep_marks);
  GET DIAGNOSTICS calls = ROW_COUNT;
  UPDATE inbound_requests SET until = least(until, finish_restore.finished_at), test_call_at = NULL WHERE is_active;
  DELETE FROM web_sessions;
  GET DIAGNOSTICS sessions = ROW_COUNT;
  DELETE FROM one_time_links;
  DELETE FROM telegram_codes;
  UPDATE slot_counters SET accounts = least(accounts + skipped, 33554430), services = least(services + skipped, 33554430);
  INSERT INTO restores (finished_at, restored_to) VALUES (finish_restore.finished_at, finish_restore.restored_to);
END
$$;
