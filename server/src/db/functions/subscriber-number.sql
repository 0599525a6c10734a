-- As slotOfDigest in the program: a number's slot comes from its opt-out digest.
CREATE OR REPLACE FUNCTION slot_of_digest(digest bytea) RETURNS smallint
LANGUAGE sql IMMUTABLE
AS $$
  SELECT (get_byte(digest, 3) & 63)::smallint
$$;

-- The row without a call: it was undone or given back.
CREATE OR REPLACE FUNCTION without_call(number subscriber_numbers, of_lease bigint) RETURNS subscriber_numbers
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  place integer := array_position(number.call_lease_id, of_lease);
BEGIN
  IF place IS NOT NULL THEN
    number.call_at := number.call_at[:place - 1] || number.call_at[place + 1:];
    number.call_service := number.call_service[:place - 1] || number.call_service[place + 1:];
    number.call_lease_id := number.call_lease_id[:place - 1] || number.call_lease_id[place + 1:];
  END IF;
  RETURN number;
END
$$;

-- The rows of one number under several keys as one row, as far as evaluate_number_limits reads it.
CREATE OR REPLACE FUNCTION joined_number(rows subscriber_numbers[]) RETURNS subscriber_numbers
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  joined subscriber_numbers := rows[1];
  number subscriber_numbers;
BEGIN
  FOREACH number IN ARRAY rows[2:] LOOP
    joined.lease_until := greatest(joined.lease_until, number.lease_until);
    joined.call_at := joined.call_at || number.call_at;
    joined.call_service := joined.call_service || number.call_service;
    joined.call_lease_id := joined.call_lease_id || number.call_lease_id;
  END LOOP;
  SELECT array_agg(call.at ORDER BY call.at), array_agg(call.service ORDER BY call.at), array_agg(call.lease_id ORDER BY call.at)
  INTO joined.call_at, joined.call_service, joined.call_lease_id
  FROM unnest(joined.call_at, joined.call_service, joined.call_lease_id) AS call(at, service, lease_id);
  joined.call_at := coalesce(joined.call_at, '{}');
  RETURN joined;
END
$$;

-- The row with one more call, and without those older than a day.
CREATE OR REPLACE FUNCTION with_call(
  number subscriber_numbers, service integer, of_lease bigint, at timestamptz, until timestamptz, digest bytea, scale float8
) RETURNS subscriber_numbers
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
  old integer := 0;
BEGIN
  WHILE at - number.call_at[old + 1] >= interval '1 day' * scale LOOP
    old := old + 1;
  END LOOP;
  number.call_at := number.call_at[old + 1:] || at;
  number.call_service := number.call_service[old + 1:] || service;
  number.call_lease_id := number.call_lease_id[old + 1:] || of_lease;
  number.lease_id := of_lease;
  number.lease_until := until;
  number.lease_digest := digest;
  number.touched_at := at;
  RETURN number;
END
$$;
