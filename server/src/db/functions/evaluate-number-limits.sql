-- Whether a number may be called by a service now; empty when it may. Every duration of the product is multiplied by the
-- scale. The row is as its holder sees it: a reservation that has lapsed was taken out before. Entries are looked at from
-- the newest back: the one that fills a limit is the one to wait for.
CREATE OR REPLACE FUNCTION evaluate_number_limits(
  n subscriber_numbers, service integer, calls_10_minutes integer, calls_day integer, at timestamptz, scale float8
) RETURNS number_decision
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  day interval := interval '1 day' * scale;
  ten_minutes interval := interval '10 minutes' * scale;
  newest timestamptz := n.call_at[cardinality(n.call_at)];
  next_at timestamptz := newest + interval '15 seconds' * scale;
  all_day integer := 0;
  own_day integer := 0;
  own_10 integer := 0;
  all_day_full timestamptz;
  own_day_full timestamptz;
  own_10_full timestamptz;
BEGIN
  IF n.lease_until > at OR next_at > at THEN
    RETURN ('too-soon', greatest(1000 * scale, extract(epoch FROM next_at - at) * 1000))::number_decision;
  END IF;
  FOR i IN REVERSE cardinality(n.call_at) .. 1 LOOP
    EXIT WHEN at - n.call_at[i] >= day;
    all_day := all_day + 1;
    IF all_day = 30 THEN
      all_day_full := n.call_at[i];
    END IF;
    CONTINUE WHEN n.call_service[i] <> service;
    own_day := own_day + 1;
    IF own_day = calls_day THEN
      own_day_full := n.call_at[i];
    END IF;
    CONTINUE WHEN at - n.call_at[i] >= ten_minutes;
    own_10 := own_10 + 1;
    IF own_10 = calls_10_minutes THEN
      own_10_full := n.call_at[i];
    END IF;
  END LOOP;
  RETURN CASE
    WHEN all_day_full IS NOT NULL
      THEN ('used-up-all', extract(epoch FROM all_day_full + day - at) * 1000)::number_decision
    WHEN own_10_full IS NOT NULL
      THEN ('used-up-10-minutes', extract(epoch FROM own_10_full + ten_minutes - at) * 1000)::number_decision
    WHEN own_day_full IS NOT NULL
      THEN ('used-up-day', extract(epoch FROM own_day_full + day - at) * 1000)::number_decision
  END;
END
$$;
