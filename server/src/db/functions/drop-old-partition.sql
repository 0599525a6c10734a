-- Old days are dropped as a whole: verifications with their keys and codes, and ledger entries after their sums are written
-- to ledger_days. Only the owner may drop a table, so the keeper calls this function, which keeps some days at least.
--
-- Drops one partition of a table, the oldest that is due, and returns its name. DETACH locks the whole table and waits for
-- every reader, while everything else queues behind it. So it is not tried while a transaction has used the table for longer
-- than requests take, and it waits for the lock only briefly; a partition that is in use is tried again another time. Days are
-- counted back from the clock or from the newest ID, whichever is older: a clock that is ahead does not make today old. A day
-- with an active verification stays, and the next sweep starts there. A day that something else depends on (a view, for
-- example) stays too, and the next one is dropped.
CREATE OR REPLACE FUNCTION drop_old_partition(p_parent text, p_days integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms'
AS $$
DECLARE
  days_each integer := CASE p_parent WHEN 'idempotency_keys' THEN 8 ELSE 1 END;
  today integer := (clock_timestamp() AT TIME ZONE 'UTC')::date - id_epoch_day();
  newest_day integer := (SELECT (last_value >> 17) / 86400 FROM id_ticks);
  part record;
  active_id bigint;
  failure text;
  own_database oid := (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database());
  holders text[];
BEGIN
  IF p_parent NOT IN ('verifications', 'ladders', 'idempotency_keys', 'ledger') THEN
    RAISE EXCEPTION '% is not kept by days', p_parent;
  END IF;
  IF p_days < kept_days_min() THEN
    RAISE EXCEPTION 'records are kept for % days at least', kept_days_min();
  END IF;
  PERFORM pg_advisory_xact_lock(1380533059, 2);
  FOR part IN
    SELECT name, ARRAY[oid, format('public.%I', p_parent)::regclass] AS tables,
      (first_day::bigint * 86400) << 23 AS first_id, ((first_day + days_each)::bigint * 86400) << 23 AS end_id
    FROM (SELECT c.relname AS name, c.oid, to_date(right(c.relname, 8), 'YYYYMMDD') - id_epoch_day() AS first_day
          FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
          WHERE i.inhparent = format('public.%I', p_parent)::regclass
          -- Keeps the days apart from the join: names of other tables are no dates.
          OFFSET 0) AS d
    WHERE first_day + days_each <= least(today, newest_day) - p_days ORDER BY first_day
  LOOP
    SELECT min(v.id) INTO active_id FROM verifications AS v
    WHERE v.id >= part.first_id AND v.id < part.end_id AND v.state IN ('accepted', 'dialling');
    IF active_id IS NOT NULL THEN
      UPDATE sweep_marks SET from_id = least(from_id, active_id);
      RAISE WARNING '% holds an active verification, % and perhaps more, and is not dropped', part.name, active_id;
      CONTINUE;
    END IF;
    holders := ARRAY(SELECT l.virtualtransaction FROM pg_locks AS l WHERE l.relation = ANY (part.tables)
                     AND l.database = own_database AND l.granted AND l.pid <> pg_backend_pid());
    PERFORM pg_sleep(0.3);
    IF EXISTS (SELECT FROM pg_locks AS l WHERE l.relation = ANY (part.tables) AND l.database = own_database AND l.granted
               AND l.virtualtransaction = ANY (holders)) THEN
      RAISE EXCEPTION '% cannot be dropped while another transaction reads it', part.name
        USING ERRCODE = 'lock_not_available';
    END IF;
    BEGIN
      IF p_parent = 'ledger' THEN
        EXECUTE format(
          'INSERT INTO ledger_days (account_id, day, from_account, to_account, amount, entries)
           SELECT account_id, id_epoch_day() + (id >> 23)::integer / 86400, from_account, to_account, sum(amount), count(*)
           FROM %I GROUP BY 1, 2, 3, 4
           ON CONFLICT (account_id, day, from_account, to_account)
           DO UPDATE SET amount = ledger_days.amount + excluded.amount, entries = ledger_days.entries + excluded.entries',
          part.name);
      END IF;
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', p_parent, part.name);
      EXECUTE format('DROP TABLE %I', part.name);
      RETURN part.name;
    EXCEPTION WHEN dependent_objects_still_exist THEN
      GET STACKED DIAGNOSTICS failure = PG_EXCEPTION_DETAIL;
    END;
  END LOOP;
  IF failure IS NOT NULL THEN
    RAISE EXCEPTION 'an old day cannot be dropped: %', failure USING ERRCODE = 'dependent_objects_still_exist';
  END IF;
  RETURN NULL;
END
$$;
