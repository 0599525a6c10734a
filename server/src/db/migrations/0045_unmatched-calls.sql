-- How many inbound calls matched no request, by hour, trunk and reason. No number is in here: a call that matched nothing must
-- leave no trace of its caller. Used in the global database only.
CREATE TABLE unmatched_calls (
  hour timestamptz NOT NULL,
  trunk text NOT NULL,
  reason text NOT NULL,
  calls bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (hour, trunk, reason)
);
