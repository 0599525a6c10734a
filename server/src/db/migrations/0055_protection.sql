-- Limits of fraud rules that an operator has set, in the global database. A rule without a row uses the configuration; a limit
-- of NULL switches the rule off.
CREATE TABLE fraud_limits (
  rule text PRIMARY KEY CHECK (rule IN ('prefix-cap', 'prefix-cap-all', 'breaker')),
  calls_max integer CHECK (calls_max BETWEEN 1 AND 1000000000),
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Prefixes (by digest) and countries that no rule over prefixes refuses, in the global database. The text of a prefix is sealed.
CREATE TABLE allowed_prefixes (
  scope text PRIMARY KEY,
  -- NULL: until an operator ends it.
  until timestamptz,
  reason text NOT NULL,
  prefix_sealed bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

ALTER TABLE full_prefixes ADD COLUMN since timestamptz NOT NULL DEFAULT clock_timestamp();

-- Refusals of each rule by the hour: a week of them in a few rows, while the list of hits has one a minute, service and prefix.
CREATE TABLE fraud_rule_hours (
  hour timestamptz NOT NULL,
  rule text NOT NULL,
  hits bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (hour, rule)
);

INSERT INTO fraud_rule_hours (hour, rule, hits, last_at)
SELECT date_trunc('hour', minute), rule, sum(hits), max(minute) FROM fraud_hits GROUP BY 1, 2;
