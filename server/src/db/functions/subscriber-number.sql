-- The row without the call of a token: it was refused, undone, or its reservation lapsed.
CREATE OR REPLACE FUNCTION without_call(n subscriber_numbers, token bigint) RETURNS subscriber_numbers
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  place integer := array_position(n.call_lease_id, token);
BEGIN
  IF place IS NOT NULL THEN
    n.call_at := n.call_at[:place - 1] || n.call_at[place + 1:];
    n.call_service := n.call_service[:place - 1] || n.call_service[place + 1:];
    n.call_lease_id := n.call_lease_id[:place - 1] || n.call_lease_id[place + 1:];
  END IF;
  IF n.lease_id = token THEN
    n.lease_id := NULL;
    n.lease_until := NULL;
    n.lease_confirmed := true;
    n.lease_digest := NULL;
  END IF;
  RETURN n;
END
$$;

-- The row without a reservation that nobody confirmed in time.
CREATE OR REPLACE FUNCTION without_lapsed(n subscriber_numbers, at timestamptz) RETURNS subscriber_numbers
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
  IF n.lease_confirmed OR n.lease_until > at THEN
    RETURN n;
  END IF;
  RETURN without_call(n, n.lease_id);
END
$$;

-- What the rows of one number under several keys say together, as far as evaluate_number_limits reads it.
CREATE OR REPLACE FUNCTION joined_number(rows subscriber_numbers[], at timestamptz) RETURNS subscriber_numbers
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  joined subscriber_numbers := without_lapsed(rows[1], at);
  n subscriber_numbers;
BEGIN
  FOREACH n IN ARRAY rows[2:] LOOP
    n := without_lapsed(n, at);
    joined.lease_until := greatest(joined.lease_until, n.lease_until);
    joined.call_at := joined.call_at || n.call_at;
    joined.call_service := joined.call_service || n.call_service;
  END LOOP;
  SELECT array_agg(c.at ORDER BY c.at), array_agg(c.service ORDER BY c.at) INTO joined.call_at, joined.call_service
  FROM unnest(joined.call_at, joined.call_service) AS c(at, service);
  joined.call_at := coalesce(joined.call_at, '{}');
  RETURN joined;
END
$$;

-- The row with a call more, and without those of a day ago.
CREATE OR REPLACE FUNCTION with_call(
  n subscriber_numbers, service integer, token bigint, at timestamptz, until timestamptz, confirmed boolean, digest bytea,
  scale float8
) RETURNS subscriber_numbers
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  old integer := 0;
BEGIN
  WHILE at - n.call_at[old + 1] >= interval '1 day' * scale LOOP
    old := old + 1;
  END LOOP;
  n.call_at := n.call_at[old + 1:] || at;
  n.call_service := n.call_service[old + 1:] || service;
  n.call_lease_id := n.call_lease_id[old + 1:] || token;
  n.lease_id := token;
  n.lease_until := until;
  n.lease_confirmed := confirmed;
  n.lease_digest := digest;
  n.touched_at := at;
  RETURN n;
END
$$;
