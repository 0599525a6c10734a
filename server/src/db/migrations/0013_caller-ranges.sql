CREATE TABLE caller_ranges (
  trunk text NOT NULL REFERENCES trunks,
  country text NOT NULL CHECK (country ~ '^([A-Z]{2}|\*)$'),
  first_number bigint NOT NULL CHECK (first_number BETWEEN 1000000 AND 999999999999999),
  last_number bigint NOT NULL,
  PRIMARY KEY (trunk, country, first_number),
  CHECK (last_number >= first_number AND length(last_number::text) = length(first_number::text))
);
