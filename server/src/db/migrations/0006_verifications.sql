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
GRANT SELECT, INSERT, UPDATE ON verifications TO ringproof_app;

-- The account's row lock, taken first, makes a key unique across partitions; the key lives as long as its verification.
CREATE TABLE idempotency_keys (
  service_id integer NOT NULL,
  digest bytea NOT NULL CHECK (octet_length(digest) = 16),
  id bigint NOT NULL,
  PRIMARY KEY (service_id, digest, id)
) PARTITION BY RANGE (id);
GRANT SELECT, INSERT, DELETE ON idempotency_keys TO ringproof_app;
