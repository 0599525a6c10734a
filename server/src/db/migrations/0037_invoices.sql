-- Who sends invoices: what operators say about their company. Empty: nobody does.
ALTER TABLE payment_settings ADD COLUMN seller jsonb;

-- What an account says about the company that pays. A sole trader is a person, so it is sealed.
CREATE TABLE legal_details (
  -- Of the account.
  id integer PRIMARY KEY REFERENCES accounts,
  details_sealed bytea NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Invoices of all accounts, so that their numbers are unique in the installation; used in the global database only. An invoice keeps
-- both parties as they were on its day. Kept for ever, like the payments.
CREATE TABLE invoices (
  -- Its number.
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  buyer_sealed bytea NOT NULL,
  seller jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  paid_at timestamptz
);
CREATE INDEX invoices_of_account ON invoices (account_id, id DESC);
