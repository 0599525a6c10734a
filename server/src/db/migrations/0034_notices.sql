-- Notices: what we write to the people of an account unasked. All of it lives in the global database, beside the people.
CREATE TYPE notice_kind AS ENUM ('low-balance', 'failure-spike', 'webhook-failing', 'key-unused', 'new-sign-in');
CREATE TYPE notice_channel AS ENUM ('email', 'telegram', 'webhook');

-- A condition that was announced. It is announced again only after it did not hold for an hour: then its row is deleted.
CREATE TABLE notice_conditions (
  account_id integer NOT NULL,
  kind notice_kind NOT NULL,
  -- Of several of a kind in an account, such as a service.
  subject text NOT NULL,
  held_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (account_id, kind, subject)
);

-- A message to one person over one channel, or to the account's receiver of webhooks, until it is sent or given up. A keeper claims
-- a row by moving its due time.
CREATE TABLE notice_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL,
  user_id integer REFERENCES users ON DELETE CASCADE,
  channel notice_channel NOT NULL,
  kind notice_kind NOT NULL,
  details jsonb NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((channel = 'webhook') = (user_id IS NULL))
) WITH (fillfactor = 60);

-- What a person has switched off; everything else is on.
CREATE TABLE notice_mutes (
  user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
  account_id integer NOT NULL,
  kind notice_kind NOT NULL,
  channel notice_channel NOT NULL,
  PRIMARY KEY (user_id, account_id, kind, channel)
);

-- The receiver of an account. Its URL may contain a secret of another service, so it is sealed like the secret that signs.
CREATE TABLE notice_webhooks (
  account_id integer PRIMARY KEY,
  url_sealed bytea NOT NULL,
  secret_sealed bytea NOT NULL,
  -- Kinds that it does not get.
  muted notice_kind[] NOT NULL DEFAULT '{}'
);
