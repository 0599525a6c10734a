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
CREATE SEQUENCE id_ticks AS bigint;

CREATE FUNCTION next_id(slot integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  second bigint := floor(extract(epoch FROM clock_timestamp()))::bigint - 1767225600;
  tick bigint := nextval('public.id_ticks');
BEGIN
  IF tick >> 17 < second THEN
    -- A session lock, because a transaction lock would keep everybody waiting until our commit. 1380533059 is 'RING'.
    PERFORM pg_advisory_lock(1380533059, 1);
    IF (SELECT last_value >> 17 < second FROM public.id_ticks) THEN
      PERFORM setval('public.id_ticks', second << 17);
    END IF;
    PERFORM pg_advisory_unlock(1380533059, 1);
    tick := nextval('public.id_ticks');
  END IF;
  RETURN ((tick >> 17) << 23) | (slot::bigint << 17) | (tick & 131071);
END
$$;
REVOKE ALL ON FUNCTION next_id FROM PUBLIC;
GRANT EXECUTE ON FUNCTION next_id TO ringproof_app;
