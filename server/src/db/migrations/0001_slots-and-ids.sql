-- Who may do what is granted table by table to ringproof_app, the application's role; tables belong to the role that
-- migrates. Roles are made once for a whole server, before any database, so they are not made here.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ringproof_app') THEN
    RAISE EXCEPTION 'the role ringproof_app does not exist'
      USING HINT = 'Make it first: CREATE ROLE ringproof_app LOGIN PASSWORD ''…''';
  END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO ringproof_app;

-- The application asks whether its database is as new as itself.
GRANT SELECT ON migrations TO ringproof_app;

-- How many accounts and services each slot has handed out numbers for. Ids are counter * 64 + slot, so a slot that
-- moves to another database takes its row along and never gives a number twice.
CREATE TABLE slot_counters (
  slot smallint PRIMARY KEY CHECK (slot BETWEEN 0 AND 63),
  accounts integer NOT NULL DEFAULT 0 CHECK (accounts BETWEEN 0 AND 33554430),
  services integer NOT NULL DEFAULT 0 CHECK (services BETWEEN 0 AND 33554430)
);
INSERT INTO slot_counters (slot) SELECT generate_series(0, 63);
GRANT SELECT, UPDATE ON slot_counters TO ringproof_app;

-- Verification ids: seconds since 2026-01-01 (30 bits) · slot (6) · sequence (17). The sequence below counts
-- second * 2^17 + n, so its value alone gives an id that no other session of this database gets. When its second has
-- passed it is moved on, by one session at a time; it is never moved back, so a clock that was set back only makes ids
-- of the last second it saw. More than 131 072 ids in a second borrow from the next one.
--
-- Others draw from the sequence while it is being moved, and must not have drawn what it is moved to. So it is moved only
-- from half a second's worth below; after a second with more ids than that, the next ones still bear that second.
CREATE SEQUENCE id_ticks AS bigint;

CREATE FUNCTION next_id(slot integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first_tick bigint := (floor(extract(epoch FROM clock_timestamp()))::bigint - 1767225600) << 17;
  tick bigint;
BEGIN
  IF slot IS NULL OR slot NOT BETWEEN 0 AND 63 THEN
    RAISE EXCEPTION 'slot % is not one of 0 to 63', slot USING ERRCODE = 'numeric_value_out_of_range';
  END IF;
  tick := nextval('public.id_ticks');
  IF tick < first_tick - 65536 THEN
    -- The lock must end here: held until the commit it would keep everybody waiting, and as a session's lock it would
    -- outlive a statement that is cancelled. So it is taken in a block that always fails: undoing the block gives the
    -- lock back, whatever made it fail, and leaves the sequence moved. 1380533059 is 'RING'.
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
REVOKE ALL ON FUNCTION next_id FROM PUBLIC;
GRANT EXECUTE ON FUNCTION next_id TO ringproof_app;
