-- Partitions are ranges of IDs, and IDs begin with a second: a day of verifications, of ladders and of the ledger, eight days of
-- idempotency keys. They are created ahead of time, and attached rather than created in place, because attaching does not
-- block writers.
CREATE OR REPLACE FUNCTION make_partition(parent text, days_each integer, day integer, storage text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
DECLARE
  first_day integer := day - day % days_each;
  first_id bigint := (first_day::bigint * 86400) << 23;
  end_id bigint := ((first_day + days_each)::bigint * 86400) << 23;
  partition text := parent || '_' || to_char(id_epoch_day() + first_day, 'YYYYMMDD');
BEGIN
  IF to_regclass(partition) IS NOT NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) %s', partition, parent, storage);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', parent, partition, first_id, end_id);
END
$$;

-- From the newest ID or the clock, whichever is later: after a clock that ran ahead was set right, IDs go on from where they
-- are. Also the day before: an ID made just before midnight may be written just after it. With an untrusted clock only what IDs
-- need is created, and the mark does not move. A typing mistake must not create a thousand tables, so days_ahead has a maximum.
CREATE OR REPLACE FUNCTION make_partitions(days_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  now_second bigint := floor(extract(epoch FROM clock_timestamp()))::bigint - id_epoch();
  newest_day integer;
  lock_limit CONSTANT text := current_setting('lock_timeout');
BEGIN
  IF days_ahead IS NULL OR days_ahead NOT BETWEEN 0 AND 60 THEN
    RAISE EXCEPTION '% is not a number of days from 0 to 60', days_ahead USING ERRCODE = 'numeric_value_out_of_range';
  END IF;
  -- After a long pause all processes start at once, and one creates a month of partitions: the others wait as long as that takes.
  PERFORM set_config('lock_timeout', '0', true);
  PERFORM pg_advisory_xact_lock(1380533059, 2);
  PERFORM set_config('lock_timeout', lock_limit, true);
  IF NOT is_clock_trusted() THEN
    now_second := 0;
  END IF;
  UPDATE clock_mark SET second = now_second WHERE second < now_second;
  SELECT greatest(now_second, mark.second, ticks.last_value >> 17) / 86400 INTO newest_day
  FROM clock_mark AS mark, id_ticks AS ticks;
  FOR day IN greatest(newest_day - 1, 0) .. newest_day + days_ahead LOOP
    PERFORM make_partition('verifications', 1, day, 'WITH (fillfactor = 60)');
    PERFORM make_partition('ladders', 1, day, 'WITH (fillfactor = 60)');
    PERFORM make_partition('ledger', 1, day, '');
    PERFORM make_partition('idempotency_keys', 8, day, '');
  END LOOP;
  PERFORM make_api_request_hours();
END
$$;
