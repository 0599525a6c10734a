-- Adds what a node has counted to the current hour, and forgets what is kept no longer.
CREATE OR REPLACE FUNCTION count_unmatched_calls(counts jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  INSERT INTO unmatched_calls AS known (hour, trunk, reason, calls, last_at)
  SELECT date_trunc('hour', clock_timestamp(), 'UTC'), counted.trunk, counted.reason, counted.calls, clock_timestamp()
  FROM jsonb_to_recordset(counts) AS counted(trunk text, reason text, calls bigint)
  ORDER BY counted.trunk, counted.reason
  ON CONFLICT (hour, trunk, reason) DO UPDATE
  SET (calls, last_at) = ROW (known.calls + excluded.calls, excluded.last_at);

  DELETE FROM unmatched_calls WHERE hour < clock_timestamp() - kept_unmatched_calls();
$$;
