-- A reservation is a lease like any other: it ends with its call, is given back, or lapses (docs/adr/0037).
DROP FUNCTION IF EXISTS confirm_number, without_lapsed;
ALTER TABLE subscriber_numbers DROP COLUMN lease_confirmed;

-- A request of close_numbers: the call is over; or, given back, it never took place.
CREATE TYPE number_close AS (
  hashes bytea[],
  lease_id bigint,
  gives_back boolean
);

-- What became of a request of reserve_numbers. The token is that of an earlier request when a lease is shared.
CREATE TYPE number_outcome AS (decision text, retry_ms float8, token bigint);
