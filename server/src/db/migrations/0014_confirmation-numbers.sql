CREATE TABLE confirmation_numbers (
  number bigint PRIMARY KEY CHECK (number BETWEEN 1000000 AND 999999999999999),
  trunk text NOT NULL REFERENCES trunks,
  slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 63)
);
