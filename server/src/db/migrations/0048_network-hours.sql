-- Hours of live calls over all accounts, for the operator's question how a provider rings over a trunk. It has far fewer rows than
-- call_hours, because it names neither accounts nor outcomes.
CREATE TABLE network_hours (
  hour timestamptz NOT NULL,
  mode verification_mode NOT NULL,
  provider text NOT NULL,
  trunk text NOT NULL,
  calls integer NOT NULL,
  dialled integer NOT NULL,
  rang integer NOT NULL,
  succeeded integer NOT NULL
);
CREATE INDEX network_hours_by_hour ON network_hours (hour);

INSERT INTO network_hours
SELECT hour, mode, provider, trunk, sum(calls), sum(dialled), sum(rang),
  coalesce(sum(calls) FILTER (WHERE state = 'succeeded'), 0)
FROM call_hours WHERE NOT is_test GROUP BY 1, 2, 3, 4 ORDER BY 1;
