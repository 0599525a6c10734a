-- The hours of the API log, from the last one to two days ahead. Time is the partition key, not an ID: a request that was refused
-- has none.
CREATE OR REPLACE FUNCTION make_api_request_hours() RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
DECLARE
  first_hour timestamptz := date_trunc('hour', clock_timestamp(), 'UTC') - interval '1 hour';
  hour timestamptz;
  partition text;
BEGIN
  FOR hour IN SELECT generate_series(first_hour, first_hour + interval '49 hours', interval '1 hour') LOOP
    partition := 'api_requests_' || to_char(hour AT TIME ZONE 'UTC', 'YYYYMMDDHH24');
    IF to_regclass(partition) IS NULL THEN
      EXECUTE format('CREATE TABLE %I (LIKE api_requests INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition);
      EXECUTE format('ALTER TABLE api_requests ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                     partition, hour, hour + interval '1 hour');
    END IF;
  END LOOP;
END
$$;

-- Drops the oldest hour that is kept no longer and returns its name, or NULL. It gives up rather than let writers of the log
-- queue behind it; no request waits for them.
CREATE OR REPLACE FUNCTION drop_api_request_hour() RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms'
AS $$
DECLARE
  oldest text;
BEGIN
  IF NOT (leads_housekeeping() AND is_clock_trusted()) THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(1380533059, 2);
  SELECT min(c.relname) INTO oldest FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'public.api_requests'::regclass
    AND c.relname < 'api_requests_' || to_char(
      clock_timestamp() AT TIME ZONE 'UTC' - kept_api_requests() - interval '1 hour', 'YYYYMMDDHH24');
  IF oldest IS NOT NULL THEN
    EXECUTE format('DROP TABLE %I', oldest);
  END IF;
  RETURN oldest;
END
$$;

CREATE OR REPLACE FUNCTION forget_api_request_counts(p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  forgotten integer := 0;
BEGIN
  IF leads_housekeeping() AND is_clock_trusted() THEN
    DELETE FROM api_request_counts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM api_request_counts WHERE since < clock_timestamp() - kept_api_requests() - interval '1 hour'
      ORDER BY since LIMIT p_limit));
    GET DIAGNOSTICS forgotten = ROW_COUNT;
  END IF;
  RETURN forgotten;
END
$$;
