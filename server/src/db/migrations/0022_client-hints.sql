-- Services whose requests come from a known client that needs other settings than the service has.
CREATE TABLE client_hints (
  service_id integer PRIMARY KEY REFERENCES services,
  client text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
