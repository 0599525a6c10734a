-- People who use the dashboard and the console. All of it lives in the global database: a person may belong to accounts of
-- several databases. Tokens and session IDs are stored as digests only.

-- What operators say about their installation; one row.
CREATE TABLE installation (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  name text NOT NULL DEFAULT 'Ringproof',
  support_address text NOT NULL DEFAULT '',
  terms_url text NOT NULL DEFAULT '',
  privacy_url text NOT NULL DEFAULT '',
  terms_version text NOT NULL DEFAULT '',
  is_sign_up_open boolean NOT NULL DEFAULT true
);
INSERT INTO installation DEFAULT VALUES;

CREATE TABLE users (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  name text NOT NULL DEFAULT '',
  language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'ru')),
  -- argon2id with its parameters and salt.
  password_hash text NOT NULL,
  operator_role text CHECK (operator_role IN ('admin', 'support', 'viewer')),
  -- The authenticator app: its sealed secret, since when it counts, and the last time step that was used.
  totp_sealed bytea,
  totp_since timestamptz,
  totp_step bigint NOT NULL DEFAULT 0,
  telegram_id bigint,
  telegram_name text NOT NULL DEFAULT '',
  telegram_since timestamptz,
  terms_version text NOT NULL DEFAULT '',
  terms_accepted_at timestamptz,
  signed_up_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE memberships (
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  account_id integer NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'accountant', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (user_id, account_id)
);
CREATE INDEX memberships_of_account ON memberships (account_id);

-- A session with stage second-step only leads to the second step; taking it makes a new session with a new ID.
CREATE TABLE web_sessions (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  stage text NOT NULL CHECK (stage IN ('second-step', 'signed-in')),
  account_id integer,
  address text NOT NULL,
  user_agent text NOT NULL,
  -- When the person last showed the password or a factor in this session.
  confirmed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Written at most once a minute.
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX web_sessions_of_user ON web_sessions (user_id);

-- A link or code that works once. The payload is what was typed before, such as the form of a sign-up.
CREATE TABLE one_time_links (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  kind text NOT NULL CHECK (kind IN ('sign-up', 'reset', 'invitation', 'operator', 'telegram', 'challenge', 'own-phone')),
  email text NOT NULL,
  user_id integer REFERENCES users ON DELETE CASCADE,
  account_id integer,
  payload jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  valid_until timestamptz NOT NULL
);
CREATE INDEX one_time_links_of_account ON one_time_links (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE recovery_codes (
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  digest bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, digest)
);

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX passkeys_of_user ON passkeys (user_id);

-- A code that we sent over Telegram; one at a time for each person.
CREATE TABLE telegram_codes (
  user_id integer PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  digest bytea NOT NULL,
  valid_until timestamptz NOT NULL
);

-- Failed attempts, by a digest of what was attempted: an e-mail that nobody has counts like any other, so that the count shows
-- nothing. total is never set back before a success.
CREATE TABLE sign_in_failures (
  digest bytea PRIMARY KEY,
  total integer NOT NULL DEFAULT 0,
  recent integer NOT NULL DEFAULT 0,
  recent_since timestamptz NOT NULL DEFAULT clock_timestamp(),
  failed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
