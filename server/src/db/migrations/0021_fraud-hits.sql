-- What was refused against fraud and harassment: one row a minute, rule, service and prefix, with the prefix sealed for the
-- operator's eyes. A flood adds to a count; prefixes above a bound share the row of prefix 0.
CREATE TABLE fraud_hits (
  minute timestamptz NOT NULL,
  rule text NOT NULL,
  service_id integer NOT NULL,
  prefix bigint NOT NULL,
  prefix_sealed bytea,
  hits bigint NOT NULL,
  PRIMARY KEY (minute, rule, service_id, prefix)
);
