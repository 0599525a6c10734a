-- Breakers, by the digest of a prefix or by a country; and prefixes that all services together have called too often. Used
-- in the global database only.
CREATE TABLE prefix_breakers (
  scope text PRIMARY KEY,
  phase text NOT NULL CHECK (phase IN ('closed', 'open', 'half-open')),
  since timestamptz NOT NULL,
  cooldown_ms float8 NOT NULL,
  baseline_calls float8 NOT NULL,
  baseline_answered float8 NOT NULL,
  baseline_repeats float8 NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX prefix_breakers_not_closed ON prefix_breakers (phase) WHERE phase <> 'closed';

CREATE TABLE full_prefixes (
  prefix bigint PRIMARY KEY,
  until timestamptz NOT NULL
);
