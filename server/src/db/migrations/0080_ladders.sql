CREATE TYPE ladder_state AS ENUM ('pending', 'approved', 'failed', 'expired', 'cancelled');

-- One proof of one phone over several calls, its rungs, with one code. It has the ID of its first call. The code is here only while the
-- ladder is pending, and never in the rows of its calls: nothing that shows a call can show it. Approval, guesses and the end are
-- changes of this one row.
CREATE TABLE ladders (
  id bigint PRIMARY KEY,
  account_id integer NOT NULL,
  service_id integer NOT NULL,
  is_test boolean NOT NULL,
  state ladder_state NOT NULL DEFAULT 'pending',
  reason text CHECK (reason IN ('checks_used_up', 'unreachable', 'number_does_not_exist')),
  phone_hash bytea NOT NULL CHECK (octet_length(phone_hash) = 32),
  code text CHECK (code ~ '^[0-9]{4}$'),
  -- False when every mode is inbound. The code is gone when the ladder is over.
  has_code boolean NOT NULL,
  -- Asked for, and of these what was neither called nor skipped.
  modes text[] NOT NULL,
  modes_left text[] NOT NULL,
  -- Oldest first.
  call_ids bigint[] NOT NULL,
  checks_max smallint NOT NULL CHECK (checks_max BETWEEN 0 AND 5),
  -- One for each code that was evaluated: digests of its idempotency key (16 bytes) and of the code with it (4), or random ones.
  check_keys bytea[] NOT NULL DEFAULT '{}',
  -- After a call that reached the phone; NULL: the next one only when somebody asks.
  silence_seconds float8,
  -- Where the vault has the number.
  vault_name text NOT NULL,
  language text NOT NULL,
  skipped jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  -- When a worker has to do something about it; at the end of its time it expires.
  due_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- The lease of the newest call, if it ended without disturbing anybody; and how often that has saved a wait.
  continues_lease bigint,
  waivers smallint NOT NULL DEFAULT 0,
  -- The subscriber's call, unless a code has approved it.
  approved_call bigint,
  CHECK ((id >> 17) & 63 = account_id % 64),
  CHECK ((state = 'pending') = (ended_at IS NULL)),
  CHECK (state = 'pending' OR code IS NULL),
  -- The second wall behind the row lock of check_ladder().
  CHECK (cardinality(check_keys) <= checks_max)
) PARTITION BY RANGE (id);

CREATE INDEX ladders_due ON ladders (due_at) WHERE state = 'pending';
CREATE INDEX ladders_of_number ON ladders (account_id, phone_hash, id);
CREATE INDEX ladders_of_service ON ladders (service_id, id);

-- The ladder of a call, which alone has the code.
ALTER TABLE verifications ADD COLUMN ladder_id bigint, ADD CHECK (ladder_id IS NULL OR code IS NULL);
-- 0 for the first call of a ladder, whose own ID it will be.
ALTER TYPE call_request ADD ATTRIBUTE ladder_id bigint;
-- The lease of the call before, which disturbed nobody: the number's cooldown after it is waived, and after no other call.
ALTER TYPE call_request ADD ATTRIBUTE continues_lease bigint;
ALTER TYPE number_reservation ADD ATTRIBUTE continues_lease bigint;
-- Without 180, 183 or an answer.
ALTER TYPE call_end ADD ATTRIBUTE is_silent boolean;

-- The rest of a request that starts a ladder. Hashes of the number are those under every key that may still be in use.
CREATE TYPE ladder_request AS (
  modes text[],
  code text,
  checks_max smallint,
  phone_hashes bytea[],
  silence_seconds integer,
  ttl_seconds integer,
  vault_name text,
  language text,
  skipped jsonb
);

-- An inbound call of a ladder has no webhook of /v1.0.
ALTER TABLE inbound_requests ALTER COLUMN callback_sealed DROP NOT NULL, ALTER COLUMN receiver_digest DROP NOT NULL;
