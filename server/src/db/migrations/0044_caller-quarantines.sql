-- Caller numbers that a trunk owns and no call shows, for example because phones show them as spam. Without `until` they are
-- quarantined and stay out until an operator returns them; with it they are cooling and come back by themselves. Those of one
-- trunk never overlap. Used in the global database only.
CREATE TABLE caller_quarantines (
  trunk text NOT NULL REFERENCES trunks ON DELETE CASCADE,
  first_number bigint NOT NULL CHECK (first_number BETWEEN 1000000 AND 999999999999999),
  last_number bigint NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
  since timestamptz NOT NULL DEFAULT clock_timestamp(),
  until timestamptz,
  PRIMARY KEY (trunk, first_number),
  CHECK (last_number >= first_number AND length(last_number::text) = length(first_number::text))
);
