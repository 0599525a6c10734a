-- A service has several keys, each with a name. A key is valid until valid_until: its expiry, or the end of the overlap
-- after a rotation; then replaced_at is set, and another row has the name.
CREATE TABLE api_keys (
  service_id integer NOT NULL REFERENCES services,
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  name text NOT NULL,
  -- The first characters, by which its owner recognises the key.
  start text NOT NULL DEFAULT '',
  scopes text[] NOT NULL CHECK (scopes <@ '{start,read}' AND cardinality(scopes) > 0),
  valid_until timestamptz,
  replaced_at timestamptz CHECK (replaced_at IS NULL OR valid_until IS NOT NULL),
  -- Written late and at most once a minute.
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (service_id, digest)
) WITH (fillfactor = 60);

CREATE UNIQUE INDEX api_keys_current ON api_keys (service_id, name) WHERE replaced_at IS NULL;
