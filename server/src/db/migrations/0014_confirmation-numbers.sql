-- A removed number is given to no further subscriber, but still matches the calls of those who have it: its row stays until
-- every request that may wait for it is over.
CREATE TABLE confirmation_numbers (
  number bigint PRIMARY KEY CHECK (number BETWEEN 1000000 AND 999999999999999),
  trunk text NOT NULL REFERENCES trunks,
  slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 63),
  removed_at timestamptz
);
