-- Calls of a service to a prefix (a number without its last four digits, by a keyed digest) in the clock hour; guarded by
-- its account's lock. Only what has a cap is counted.
CREATE TABLE prefix_usage (
  service_id integer NOT NULL,
  prefix bigint NOT NULL,
  hour timestamptz NOT NULL,
  hour_count integer NOT NULL,
  PRIMARY KEY (service_id, prefix)
) WITH (fillfactor = 50);

-- How calls to prefixes went, minute by minute, in the database of their accounts; kept for a while. And how far that is
-- done: 'prefixes' in each database, 'breakers' in the global database.
CREATE TABLE prefix_minutes (
  minute timestamptz NOT NULL,
  prefix bigint NOT NULL,
  country text NOT NULL,
  calls integer NOT NULL,
  answered integer NOT NULL,
  repeats integer NOT NULL,
  PRIMARY KEY (minute, prefix)
);

CREATE TABLE fraud_progress (
  job text PRIMARY KEY,
  done_until timestamptz NOT NULL
);
