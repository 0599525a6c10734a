-- How customers pay, set by operators: one row, used in the global database only.
CREATE TABLE payment_settings (
  id integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  -- The address of the payment page, with {account} and {amount}. Empty: there is none.
  page_link text NOT NULL DEFAULT '',
  -- Signs what the payment page reports.
  secret_sealed bytea
);
INSERT INTO payment_settings DEFAULT VALUES;

-- Every payment that the payment page has reported, by the page's ID for it; used in the global database only. A payment belongs to
-- one account, so the second account that it is reported for gets nothing. Kept for ever, like payment_references.
CREATE TABLE page_payments (
  reference text PRIMARY KEY CHECK (length(reference) BETWEEN 1 AND 100),
  account_id integer NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
