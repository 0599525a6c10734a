-- Whether a service may call a number now; NULL when it may. Durations are multiplied by the scale, which tests shorten. Calls
-- are counted from the newest back: the one that reaches a limit is the one to wait for.
CREATE OR REPLACE FUNCTION evaluate_number_limits(
  number subscriber_numbers, service integer, calls_10_minutes integer, calls_day integer, at timestamptz, scale float8,
  -- The next call of a ladder after one that disturbed nobody need not wait for the cooldown of that one.
  continues_lease bigint DEFAULT NULL
) RETURNS number_decision
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  day interval := interval '1 day' * scale;
  few_minutes interval := short_window(scale);
  newest timestamptz := number.call_at[cardinality(number.call_at)];
  waives CONSTANT boolean := coalesce(number.call_lease_id[cardinality(number.call_at)] = continues_lease, false);
  next_at timestamptz := CASE WHEN waives THEN newest ELSE newest + number_cooldown(scale) END;
  all_day integer := 0;
  own_day integer := 0;
  own_10 integer := 0;
  all_day_full timestamptz;
  own_day_full timestamptz;
  own_10_full timestamptz;
BEGIN
  IF number.lease_until > at OR next_at > at THEN
    RETURN ('too-soon', greatest(1000 * scale, extract(epoch FROM next_at - at) * 1000))::number_decision;
  END IF;
  FOR i IN REVERSE cardinality(number.call_at) .. 1 LOOP
    EXIT WHEN at - number.call_at[i] >= day;
    all_day := all_day + 1;
    IF all_day = calls_per_day_over_all() THEN
      all_day_full := number.call_at[i];
    END IF;
    CONTINUE WHEN number.call_service[i] <> service;
    own_day := own_day + 1;
    IF own_day = calls_day THEN
      own_day_full := number.call_at[i];
    END IF;
    CONTINUE WHEN at - number.call_at[i] >= few_minutes;
    own_10 := own_10 + 1;
    IF own_10 = calls_10_minutes THEN
      own_10_full := number.call_at[i];
    END IF;
  END LOOP;
  RETURN CASE
    WHEN all_day_full IS NOT NULL
      THEN ('used-up-all', extract(epoch FROM all_day_full + day - at) * 1000)::number_decision
    WHEN own_10_full IS NOT NULL
      THEN ('used-up-10-minutes', extract(epoch FROM own_10_full + few_minutes - at) * 1000)::number_decision
    WHEN own_day_full IS NOT NULL
      THEN ('used-up-day', extract(epoch FROM own_day_full + day - at) * 1000)::number_decision
  END;
END
$$;
