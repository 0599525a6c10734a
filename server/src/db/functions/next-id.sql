CREATE OR REPLACE FUNCTION next_id(slot integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  first_tick bigint := (floor(extract(epoch FROM clock_timestamp()))::bigint - public.id_epoch()) << 17;
  tick bigint;
BEGIN
  IF slot IS NULL OR slot NOT BETWEEN 0 AND 63 THEN
    RAISE EXCEPTION 'slot % is not one of 0 to 63', slot USING ERRCODE = 'numeric_value_out_of_range';
  END IF;
  tick := nextval('public.id_ticks');
  IF tick < first_tick - 65536 THEN
    IF NOT public.is_clock_trusted() THEN
      RAISE EXCEPTION 'the clock is % seconds ahead of the last time this database was at work', public.clock_lead()
        USING ERRCODE = 'RING1', HINT = 'If the clock is right: ringproof ids confirm-clock';
    END IF;
    -- The lock must end here: held until the commit it would block every other session, and a session lock would outlive
    -- a cancelled statement. So it is taken in a block that always fails: its rollback releases the lock, whatever made it
    -- fail, and leaves the sequence moved. 1380533059 is 'RING'.
    BEGIN
      PERFORM pg_advisory_xact_lock(1380533059, 1);
      IF (SELECT last_value < first_tick - 65536 FROM public.id_ticks) THEN
        PERFORM setval('public.id_ticks', first_tick);
      END IF;
      RAISE EXCEPTION USING ERRCODE = 'RING0';
    EXCEPTION WHEN SQLSTATE 'RING0' THEN
      tick := nextval('public.id_ticks');
    END;
  END IF;
  RETURN ((tick >> 17) << 23) | (slot::bigint << 17) | (tick & 131071);
END
$$;
