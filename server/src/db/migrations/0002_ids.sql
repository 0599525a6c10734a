-- How many accounts and services each slot has handed out numbers for. Ids are counter * 64 + slot, so a slot that
-- moves to another database takes its row along and never gives a number twice.
CREATE TABLE slot_counters (
  slot smallint PRIMARY KEY CHECK (slot BETWEEN 0 AND 63),
  accounts integer NOT NULL DEFAULT 0 CHECK (accounts BETWEEN 0 AND 33554430),
  services integer NOT NULL DEFAULT 0 CHECK (services BETWEEN 0 AND 33554430)
);

INSERT INTO slot_counters (slot) SELECT generate_series(0, 63);

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
