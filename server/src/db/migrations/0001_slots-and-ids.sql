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

-- The last second at which this database was known to be at work, counted as ids count. Housekeeping moves it on every few
-- minutes, so that a week without a call is no gap.
CREATE TABLE clock_mark (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  second bigint NOT NULL
);
INSERT INTO clock_mark (second) VALUES (floor(extract(epoch FROM clock_timestamp()))::bigint - 1767225600);

-- By how many seconds the clock is ahead of the newest mark or id; below zero when it is behind.
CREATE FUNCTION clock_lead() RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()))::bigint - 1767225600 - greatest(m.second, t.last_value >> 17)
  FROM public.clock_mark AS m, public.id_ticks AS t
$$;

-- A lead of more than a day is a wrong clock, or a database that nobody has kept for that long: no id is made and nothing
-- old is deleted until an operator has confirmed the clock. An id from the future can never be taken back.
CREATE FUNCTION is_clock_trusted() RETURNS boolean
LANGUAGE sql VOLATILE SET search_path = public, pg_temp
AS 'SELECT clock_lead() <= 86400';

-- Also sets the mark back, when a wrong clock was confirmed before; ids stay where they are.
CREATE FUNCTION confirm_clock() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.clock_mark SET second = floor(extract(epoch FROM clock_timestamp()))::bigint - 1767225600
$$;
REVOKE ALL ON FUNCTION clock_lead, is_clock_trusted, confirm_clock FROM PUBLIC;
GRANT EXECUTE ON FUNCTION clock_lead, is_clock_trusted, confirm_clock TO ringproof_app;

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
    IF NOT public.is_clock_trusted() THEN
      RAISE EXCEPTION 'the clock is % seconds ahead of the last time this database was at work', public.clock_lead()
        USING ERRCODE = 'RING1', HINT = 'If the clock is right: ringproof ids confirm-clock';
    END IF;
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
