-- balance is what can be spent, held what open verifications have set aside; both in micro-units. The row is updated
-- by every verification, so pages keep room for its next version.
CREATE TABLE accounts (
  id integer PRIMARY KEY CHECK (id >= 64),
  balance bigint NOT NULL DEFAULT 0 CHECK (balance BETWEEN 0 AND 1000000000000000),
  held bigint NOT NULL DEFAULT 0 CHECK (held BETWEEN 0 AND 1000000000000000),
  email text NOT NULL,
  name text NOT NULL DEFAULT '',
  -- For lists, months, notices and statistics.
  time_zone text NOT NULL DEFAULT 'Europe/Moscow',
  tariff text NOT NULL DEFAULT 'uni',
  blocked_at timestamptz,
  must_verify_phone boolean NOT NULL DEFAULT false,
  telegram_id bigint,
  two_auth boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  active_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 40);

-- One e-mail, one account, over all databases: used in the global database only.
CREATE TABLE account_emails (
  email text PRIMARY KEY CHECK (email = lower(email)),
  account_id integer NOT NULL UNIQUE
);

-- The steps of the first five minutes that an account has taken, and when.
CREATE TABLE start_steps (
  account_id integer NOT NULL REFERENCES accounts,
  step text NOT NULL CHECK (step IN ('key', 'testCall', 'realCall', 'webhook')),
  done_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (account_id, step)
);
