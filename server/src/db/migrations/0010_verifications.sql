CREATE TYPE verification_mode AS ENUM ('flash', 'voice', 'mix', 'inbound');

-- accepted → dialling → succeeded or failed; an inbound verification goes from accepted to succeeded or failed.
CREATE TYPE verification_state AS ENUM ('accepted', 'dialling', 'succeeded', 'failed');

-- There is no phone number here, only a hash under a key of the account. The mask, which hides only three digits, and what the
-- customer wrote about the person are sealed together. State has no index and pages are filled to 60 %, so that updates of a
-- verification stay in its page.
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
  -- A keyed digest of the number without its last four digits: fraud rules watch a prefix without knowing it.
  prefix bigint,
  -- What was known about the number when it was called; it identifies no person.
  phone_info jsonb,
  code text CHECK (code ~ '^[0-9]{4}$'),
  price bigint NOT NULL CHECK (price >= 0),
  balance_before bigint NOT NULL,
  attempt smallint NOT NULL DEFAULT 0,
  -- A retry has returned it, or is about to: it can no longer be undone.
  pinned boolean NOT NULL DEFAULT false,
  accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  start_until timestamptz NOT NULL,
  end_until timestamptz NOT NULL,
  -- The last attempt: over which trunk, from which of our numbers, and how it ended.
  trunk text,
  caller_number bigint,
  dialled_at timestamptz,
  rang_at timestamptz,
  ended_at timestamptz,
  reason text,
  sip_status integer,
  -- Post-dial delay and time of ringing, by the clock of the node that dialled; and who ended the call.
  post_dial_ms integer,
  ring_ms integer,
  ended_by text CHECK (ended_by IN ('us', 'them', 'nobody')),
  -- Whether the tariff charged failed calls when it was accepted.
  charges_failed boolean NOT NULL DEFAULT false,
  -- A free repeat names the call that it repeats, and that call its repeats.
  first_id bigint,
  repeat_ids bigint[] NOT NULL DEFAULT '{}',
  -- Of a test call: when its handset answered, and the caller ID that it showed, if the network changed it.
  answered_at timestamptz,
  shown_caller bigint,
  CHECK ((id >> 17) & 63 = account_id % 64),
  CHECK ((state IN ('succeeded', 'failed')) = (ended_at IS NOT NULL))
) PARTITION BY RANGE (id);

-- The few test calls of an account, for its handsets. Calls that cost money are not in it.
CREATE INDEX verifications_of_tests ON verifications (account_id, id) WHERE is_test;

-- The account's row lock, taken first, makes a key unique across partitions; the key lives as long as its verification.
CREATE TABLE idempotency_keys (
  service_id integer NOT NULL,
  digest bytea NOT NULL CHECK (octet_length(digest) = 16),
  id bigint NOT NULL,
  PRIMARY KEY (service_id, digest, id)
) PARTITION BY RANGE (id);

-- A request of accept_calls. Digests of its key and hashes of its number are those under every key that may still be in use, the
-- active one first: all of them are looked up, the first is written. number_hashes and opt_out_digest are NULL when another
-- database keeps the limits of the number and has reserved the call already. prefix_max is the maximum of calls an hour to the
-- prefix; NULL: they are not counted.
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
  prefix_max integer,
  charges_failed boolean
);

-- What accept_calls has locked and read for a batch. Arrays in a group have the same order.
CREATE TYPE call_batch AS (
  evaluated_at timestamptz,
  hour_left_ms float8,

  account_ids integer[],
  balances bigint[],

  -- Numbers that were called before, and those that were not.
  number_hashes bytea[],
  numbers subscriber_numbers[],
  new_hashes bytea[],

  service_ids integer[],
  hour_counts integer[],
  day_counts integer[],
  day_spents bigint[],

  opted_out bytea[],

  prefix_keys text[],
  prefix_counts integer[],

  idempotency_keys text[],
  idempotency_ids bigint[]
);

-- What accept_calls has decided for each request, in their order; then what the batch changes, in the order of call_batch.
CREATE TYPE call_outcomes AS (
  decisions text[],
  ids bigint[],
  balances_before bigint[],
  retries_ms float8[],

  balances bigint[],
  service_calls integer[],
  day_spents bigint[],
  called_hashes bytea[]
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
