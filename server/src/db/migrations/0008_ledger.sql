CREATE TYPE ledger_account AS ENUM ('external', 'available', 'held', 'revenue');

-- One row moves one amount from one account of an account to another, so a row is its own counter-entry. The primary key
-- lets a hold be closed once. The application may add rows and read them; nothing may change or remove one but the
-- roll-up, which drops a whole partition after writing its sums below.
CREATE TABLE ledger (
  id bigint NOT NULL,
  sequence smallint NOT NULL,
  account_id integer NOT NULL,
  from_account ledger_account NOT NULL,
  to_account ledger_account NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id, sequence),
  CHECK (
    (sequence = 1 AND (from_account, to_account) IN
      (('external', 'available'), ('available', 'external'), ('available', 'revenue'), ('available', 'held')))
    OR (sequence = 2 AND from_account = 'held' AND to_account IN ('revenue', 'available'))
  ),
  CHECK ((id >> 17) & 63 = account_id % 64)
) PARTITION BY RANGE (id);

-- The operator's own name for a payment, such as the number of a bank transfer. An account takes each once, so that a
-- payment whose answer was lost can be entered again. Kept for ever: a payment may be entered again after its entry was
-- rolled up.
CREATE TABLE payment_references (
  account_id integer NOT NULL,
  reference text NOT NULL CHECK (length(reference) BETWEEN 1 AND 100),
  entry_id bigint NOT NULL,
  from_account ledger_account NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (account_id, reference)
);

-- What a day's dropped entries came to; kept for ever.
CREATE TABLE ledger_days (
  account_id integer NOT NULL,
  day date NOT NULL,
  from_account ledger_account NOT NULL,
  to_account ledger_account NOT NULL,
  amount bigint NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (account_id, day, from_account, to_account)
);

-- What lies in each account of each account, by entries alone: the other side of accounts.balance and accounts.held.
CREATE VIEW ledger_totals AS
WITH moved AS (
  SELECT account_id, from_account, to_account, amount FROM ledger
  UNION ALL
  SELECT account_id, from_account, to_account, amount FROM ledger_days
)
SELECT account_id, account, sum(amount)::bigint AS amount
FROM (
  SELECT account_id, to_account AS account, amount FROM moved
  UNION ALL
  SELECT account_id, from_account, -amount FROM moved
) AS sides
GROUP BY account_id, account;
