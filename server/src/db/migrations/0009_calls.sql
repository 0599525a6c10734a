-- How a subscriber is protected, over all accounts: one row a number, found by a keyed hash of its own. While keys change a
-- number has a row under each of them: whoever evaluates it locks them all, in their order, and counts them together; what is
-- new is written under the active key. The arrays hold
-- the accepted calls of the last day, oldest first; at most thirty of them, so they are counted in place. A call that is
-- going on is open. While lease_confirmed is false it is only reserved, for an account whose record is elsewhere, and lapses
-- by itself at lease_until.
CREATE TABLE subscriber_numbers (
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  lease_id bigint,
  lease_until timestamptz,
  lease_confirmed boolean NOT NULL DEFAULT true,
  lease_digest bytea,
  call_at timestamptz[] NOT NULL DEFAULT '{}',
  call_service integer[] NOT NULL DEFAULT '{}',
  call_lease_id bigint[] NOT NULL DEFAULT '{}',
  touched_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE, DELETE ON subscriber_numbers TO ringproof_app;

-- What a service has used of its caps, in the clock hour and the UTC day; guarded by its account's lock.
CREATE TABLE service_usage (
  service_id integer PRIMARY KEY,
  hour timestamptz NOT NULL DEFAULT '-infinity',
  hour_count integer NOT NULL DEFAULT 0,
  day timestamptz NOT NULL DEFAULT '-infinity',
  day_count integer NOT NULL DEFAULT 0,
  day_spent bigint NOT NULL DEFAULT 0,
  last_request_at timestamptz
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE ON service_usage TO ringproof_app;

-- Where calls go out, and which numbers they show. Used in the global database only.
CREATE TABLE trunks (
  name text PRIMARY KEY CHECK (name ~ '^[a-z0-9-]{1,32}$'),
  is_on boolean NOT NULL DEFAULT true,
  priority integer NOT NULL DEFAULT 100,
  countries text[] NOT NULL DEFAULT '{*}',
  channels integer NOT NULL CHECK (channels > 0),
  calls_per_second double precision NOT NULL CHECK (calls_per_second > 0),
  counts_early_media boolean NOT NULL DEFAULT false,
  ring_seconds integer CHECK (ring_seconds BETWEEN 1 AND 20),
  -- Where the carrier is, how it knows us, and how it wants numbers spelled. They stand in SIP messages, so what may be in
  -- them is said here once more.
  address text NOT NULL DEFAULT '' CHECK (address ~ '^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])?(:[0-9]{1,5})?$'),
  transport text NOT NULL DEFAULT 'udp' CHECK (transport IN ('udp', 'tcp', 'tls')),
  sip_user text CHECK (sip_user ~ '^[A-Za-z0-9_.+-]{1,64}$'),
  password_sealed bytea,
  outbound_registration boolean NOT NULL DEFAULT false,
  called_prefix text NOT NULL DEFAULT '' CHECK (called_prefix ~ '^[0-9*]{0,12}$'),
  called_format text NOT NULL DEFAULT 'e164-no-plus' CHECK (called_format IN ('e164', 'e164-no-plus', 'ru-8', 'ru-10')),
  caller_format text NOT NULL DEFAULT 'e164-no-plus' CHECK (caller_format IN ('e164', 'e164-no-plus', 'ru-8', 'ru-10')),
  caller_id_header text NOT NULL DEFAULT 'pai' CHECK (caller_id_header IN ('from', 'pai', 'rpid')),
  from_user text CHECK (from_user ~ '^[A-Za-z0-9_.+-]{1,64}$'),
  inbound_format text NOT NULL DEFAULT 'e164' CHECK (inbound_format IN ('e164', 'e164-no-plus', 'ru-8', 'ru-10')),
  -- Which header of an inbound call names the caller.
  identity text NOT NULL DEFAULT 'pai' CHECK (identity IN ('pai', 'from')),
  -- What an inbound call over UDP is worth whose sender has not shown that it received our reply.
  return_path text NOT NULL DEFAULT 'record' CHECK (return_path IN ('record', 'enforce')),
  allows_relay boolean NOT NULL DEFAULT false,
  -- Its key travels in the SIP message, so only TLS keeps it secret.
  srtp boolean NOT NULL DEFAULT false CHECK (NOT srtp OR transport = 'tls'),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (NOT outbound_registration OR (sip_user IS NOT NULL AND password_sealed IS NOT NULL)),
  -- With somebody else in From, another header must show the number.
  CHECK (from_user IS NULL OR caller_id_header <> 'from')
);
GRANT SELECT, INSERT, UPDATE, DELETE ON trunks TO ringproof_app;

-- Whether a carrier is there, as each telephony node sees it. A node that is dead says nothing, and what it said grows old.
CREATE TABLE trunk_states (
  trunk text NOT NULL REFERENCES trunks ON DELETE CASCADE,
  node text NOT NULL,
  is_up boolean NOT NULL,
  reason text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (trunk, node)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON trunk_states TO ringproof_app;

-- How many inbound calls over UDP were confirmed by an ACK of our reply, since the trunk began to record.
CREATE TABLE trunk_return_paths (
  trunk text PRIMARY KEY REFERENCES trunks ON DELETE CASCADE,
  confirmed bigint NOT NULL DEFAULT 0,
  unconfirmed bigint NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE, DELETE ON trunk_return_paths TO ringproof_app;

-- Adds what a node has counted, and names the trunks whose carrier has now confirmed so many calls that the others count for
-- nothing from here on.
CREATE FUNCTION count_return_paths(counts jsonb, confirmed_to_enforce bigint) RETURNS SETOF text
LANGUAGE sql SET search_path = public, pg_temp
AS $$
  INSERT INTO trunk_return_paths AS t (trunk, confirmed, unconfirmed)
  SELECT c.trunk, c.confirmed, c.unconfirmed
  FROM jsonb_to_recordset(counts) AS c(trunk text, confirmed bigint, unconfirmed bigint)
  WHERE c.trunk IN (SELECT name FROM trunks)
  ORDER BY c.trunk
  ON CONFLICT (trunk) DO UPDATE
  SET (confirmed, unconfirmed) = ROW (t.confirmed + excluded.confirmed, t.unconfirmed + excluded.unconfirmed);

  UPDATE trunks SET return_path = 'enforce'
  FROM trunk_return_paths t
  WHERE t.trunk = name AND return_path = 'record' AND t.confirmed >= confirmed_to_enforce
  RETURNING name;
$$;

CREATE TABLE caller_ranges (
  trunk text NOT NULL REFERENCES trunks,
  country text NOT NULL CHECK (country ~ '^([A-Z]{2}|\*)$'),
  first_number bigint NOT NULL CHECK (first_number BETWEEN 1000000 AND 999999999999999),
  last_number bigint NOT NULL,
  PRIMARY KEY (trunk, country, first_number),
  CHECK (last_number >= first_number AND length(last_number::text) = length(first_number::text))
);
GRANT SELECT, INSERT, DELETE ON caller_ranges TO ringproof_app;

CREATE TABLE confirmation_numbers (
  number bigint PRIMARY KEY CHECK (number BETWEEN 1000000 AND 999999999999999),
  trunk text NOT NULL REFERENCES trunks,
  slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 63)
);
GRANT SELECT, INSERT, DELETE ON confirmation_numbers TO ringproof_app;

CREATE TYPE number_decision AS (decision text, retry_ms float8);

-- Whether a number may be called by a service now; empty when it may. Every duration of the product is multiplied by the
-- scale. The row is as its holder sees it: a reservation that has lapsed was taken out before. Entries are looked at from
-- the newest back: the one that fills a limit is the one to wait for.
CREATE FUNCTION evaluate_number_limits(
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

-- The row without the call of a token: it was refused, undone, or its reservation lapsed.
CREATE FUNCTION without_call(n subscriber_numbers, token bigint) RETURNS subscriber_numbers
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
CREATE FUNCTION without_lapsed(n subscriber_numbers, at timestamptz) RETURNS subscriber_numbers
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
CREATE FUNCTION joined_number(rows subscriber_numbers[], at timestamptz) RETURNS subscriber_numbers
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
CREATE FUNCTION with_call(
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
