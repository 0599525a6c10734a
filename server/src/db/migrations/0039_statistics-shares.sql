-- Links that show statistics of an account to people without a session; in the global database. The token is only in the link, the row
-- has its digest. A revoked link is deleted; who made and who revoked it stays in the account's log.
CREATE TABLE statistics_shares (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
  account_id integer NOT NULL,
  -- Read by those who have the link.
  name text NOT NULL,
  -- As the page had them when the link was made; nothing changes them.
  filter jsonb NOT NULL,
  has_money boolean NOT NULL,
  created_by integer REFERENCES users ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  valid_until timestamptz NOT NULL
);

CREATE INDEX statistics_shares_of_account ON statistics_shares (account_id);
