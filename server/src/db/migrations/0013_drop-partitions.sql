-- Old days go as a whole: verifications with their keys and codes, and the ledger's entries after their sums are written
-- down. Only the owner may drop a table, so the application asks for it here, and cannot ask for less than a week.
CREATE FUNCTION drop_old_partitions(verification_days integer, ledger_days integer) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  today integer := (clock_timestamp() AT TIME ZONE 'UTC')::date - date '2026-01-01';
  part record;
BEGIN
  IF least(verification_days, ledger_days) < 7 THEN
    RAISE EXCEPTION 'records are kept for a week at least';
  END IF;
  PERFORM pg_advisory_xact_lock(1380533059, 2);
  FOR part IN
    SELECT c.relname AS name, p.relname AS parent,
      CASE p.relname WHEN 'idempotency_keys' THEN 8 ELSE 1 END
        + (to_date(right(c.relname, 8), 'YYYYMMDD') - date '2026-01-01') AS end_day
    FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid JOIN pg_class AS p ON p.oid = i.inhparent
    WHERE p.relname IN ('verifications', 'idempotency_keys', 'ledger') AND p.relnamespace = 'public'::regnamespace
    ORDER BY c.relname
  LOOP
    CONTINUE WHEN part.end_day > today - CASE part.parent WHEN 'ledger' THEN ledger_days ELSE verification_days END;
    IF part.parent = 'ledger' THEN
      EXECUTE format(
        'INSERT INTO ledger_days (account_id, day, from_pot, to_pot, amount, entries)
         SELECT account_id, date ''2026-01-01'' + (id >> 23)::integer / 86400, from_pot, to_pot, sum(amount), count(*)
         FROM %I GROUP BY 1, 2, 3, 4
         ON CONFLICT (account_id, day, from_pot, to_pot)
         DO UPDATE SET amount = ledger_days.amount + excluded.amount, entries = ledger_days.entries + excluded.entries',
        part.name);
    END IF;
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', part.parent, part.name);
    EXECUTE format('DROP TABLE %I', part.name);
    RETURN NEXT part.name;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION drop_old_partitions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_old_partitions TO ringproof_app;
