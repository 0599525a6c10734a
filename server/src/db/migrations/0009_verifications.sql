CREATE TYPE verification_mode AS ENUM ('flash', 'voice', 'mix', 'inbound');

-- accepted → dialling → made or failed; an inbound wait goes from accepted to made or failed.
CREATE TYPE verification_state AS ENUM ('accepted', 'dialling', 'succeeded', 'failed');

-- No phone number stands here: a keyed hash under a key of the account's own. The mask, which hides three digits only, and what
-- the customer wrote about the person are sealed together. There is no index over state and pages are filled to 60 %, so that
-- a verification's changes stay in its page.
CREATE TABLE verifications (
  id bigint PRIMARY KEY,
  account_id integer NOT NULL,
  service_id integer NOT NULL,
  mode verification_mode NOT NULL,
  state verification_state NOT NULL DEFAULT 'accepted',
  is_test boolean NOT NULL DEFAULT false,
  phone_hash bytea NOT NULL CHECK (octet_length(phone_hash) = 32),
  person_sealed bytea NOT NULL,
  country text NOT NULL,
  -- The number without its last four digits, by a keyed digest: how a range of numbers fares is watched without knowing it.
  prefix bigint,
  -- What was known of the number when it was called; it names nobody.
  phone_info jsonb,
  code text CHECK (code ~ '^[0-9]{4}$'),
  price bigint NOT NULL CHECK (price >= 0),
  balance_before bigint NOT NULL,
  attempt smallint NOT NULL DEFAULT 0,
  -- A retry was answered with it, or is about to be: whoever began may not take it back any more.
  pinned boolean NOT NULL DEFAULT false,
  accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  start_until timestamptz NOT NULL,
  end_until timestamptz NOT NULL,
  -- The story of the last attempt, for people: over which trunk, from which of our numbers, and how it ended.
  trunk text,
  caller_number bigint,
  dialled_at timestamptz,
  rang_at timestamptz,
  ended_at timestamptz,
  reason text,
  sip_status integer,
  -- Milliseconds from dialling to ringing, and of ringing, by the clock of whoever dialled; and who ended the call.
  post_dial_ms integer,
  ring_ms integer,
  ended_by text CHECK (ended_by IN ('us', 'them', 'nobody')),
  CHECK ((id >> 17) & 63 = account_id % 64),
  CHECK ((state IN ('succeeded', 'failed')) = (ended_at IS NOT NULL))
) PARTITION BY RANGE (id);

-- The account's row lock, taken first, makes a key unique across partitions; the key lives as long as its verification.
CREATE TABLE idempotency_keys (
  service_id integer NOT NULL,
  digest bytea NOT NULL CHECK (octet_length(digest) = 16),
  id bigint NOT NULL,
  PRIMARY KEY (service_id, digest, id)
) PARTITION BY RANGE (id);

-- One request to start a call, with everything that was found out about it outside. Digests of its key and hashes of its
-- number are those under every ring key that may still be in use, the active one first: all of them are looked under, the
-- first is written. number_hashes is empty when the limits of its number are kept by another database, which has reserved
-- the call already; so is opt_out_digest. prefix_max is the most calls an hour to the prefix; empty: they are not counted.
CREATE TYPE call_request AS (
  account_id integer,
  service_id integer,
  key_digests bytea[],
  is_test boolean,
  mode verification_mode,
  phone_hash bytea,
  person_sealed bytea,
  number_hashes bytea[],
  country text,
  phone_info jsonb,
  code text,
  price bigint,
  trunk text,
  caller_number bigint,
  calls_10_minutes integer,
  calls_day integer,
  hour_max integer,
  day_max integer,
  spend_max bigint,
  opt_out_digest bytea,
  prefix bigint,
  prefix_max integer
);

CREATE TYPE call_end AS (
  id bigint,
  attempt smallint,
  succeeded boolean,
  reason text,
  sip_status integer,
  post_dial_ms integer,
  ring_ms integer,
  ended_by text,
  number_hashes bytea[],
  number_lease_id bigint
);
