-- What a service has used of its caps, in the clock hour and the UTC day; guarded by its account's lock.
CREATE TABLE service_usage (
  service_id integer PRIMARY KEY,
  hour timestamptz NOT NULL DEFAULT '-infinity',
  hour_count integer NOT NULL DEFAULT 0,
  day timestamptz NOT NULL DEFAULT '-infinity',
  day_count integer NOT NULL DEFAULT 0,
  day_spent bigint NOT NULL DEFAULT 0,
  last_request_at timestamptz
) WITH (fillfactor = 50);
