-- How many verifications there were and what they cost, by everything that a statistic is asked by. A minute is counted once,
-- when all its verifications are over; the minutes of an hour are then folded into the hour. What is newer is counted from the
-- verifications themselves. No phone number and no client is in here, so hours outlive the verifications by thirteen months.
CREATE TABLE call_minutes (
  minute timestamptz NOT NULL,
  account_id integer NOT NULL,
  service_id integer NOT NULL,
  mode verification_mode NOT NULL,
  is_test boolean NOT NULL,
  country text NOT NULL,
  -- The provider that served the number; empty: unknown.
  provider text NOT NULL,
  trunk text NOT NULL,
  state verification_state NOT NULL,
  reason text NOT NULL,
  calls integer NOT NULL,
  dialled integer NOT NULL,
  rang integer NOT NULL,
  -- Free repeats of an earlier call.
  repeats integer NOT NULL,
  charged bigint NOT NULL,
  -- How many began to ring within each step of ring_delay_steps(); NULL: none rang.
  ring_delays integer[]
);
CREATE INDEX call_minutes_of_account ON call_minutes (account_id, minute);

CREATE TABLE call_hours (LIKE call_minutes);
ALTER TABLE call_hours RENAME COLUMN minute TO hour;
CREATE INDEX call_hours_of_account ON call_hours (account_id, hour);
CREATE INDEX call_hours_by_age ON call_hours USING brin (hour);

-- Every verification below counted_to is in a minute or an hour; every minute before folded_to is in an hour.
CREATE TABLE call_count_marks (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  counted_to bigint NOT NULL DEFAULT 0,
  folded_to timestamptz NOT NULL DEFAULT '2026-01-01T00:00Z'
) WITH (fillfactor = 10);

INSERT INTO call_count_marks DEFAULT VALUES;
