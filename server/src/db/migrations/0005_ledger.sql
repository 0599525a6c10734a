CREATE TYPE ledger_pot AS ENUM ('outside', 'available', 'held', 'earned');

-- One row moves one amount from one pot of an account to another, so a row is its own counter-entry. The primary key
-- lets a hold be closed once. The application may add rows and read them; nothing may change or remove one but the
-- roll-up, which drops a whole partition after writing its sums below.
CREATE TABLE ledger (
  id bigint NOT NULL,
  sequence smallint NOT NULL,
  account_id integer NOT NULL,
  from_pot ledger_pot NOT NULL,
  to_pot ledger_pot NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id, sequence),
  CHECK (
    (sequence = 1 AND (from_pot, to_pot) IN
      (('outside', 'available'), ('available', 'outside'), ('available', 'earned'), ('available', 'held')))
    OR (sequence = 2 AND from_pot = 'held' AND to_pot IN ('earned', 'available'))
  ),
  CHECK ((id >> 17) & 63 = account_id % 64)
) PARTITION BY RANGE (id);
GRANT SELECT, INSERT ON ledger TO ringproof_app;

-- The operator's own name for a payment, such as the number of a bank transfer. An account takes each once, so that a
-- payment whose answer was lost can be entered again. Kept for ever: a payment may be entered again after its entry was
-- rolled up.
CREATE TABLE payment_references (
  account_id integer NOT NULL,
  reference text NOT NULL CHECK (length(reference) BETWEEN 1 AND 100),
  entry_id bigint NOT NULL,
  from_pot ledger_pot NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (account_id, reference)
);
GRANT SELECT, INSERT ON payment_references TO ringproof_app;

-- What a day's dropped entries came to; kept for ever.
CREATE TABLE ledger_days (
  account_id integer NOT NULL,
  day date NOT NULL,
  from_pot ledger_pot NOT NULL,
  to_pot ledger_pot NOT NULL,
  amount bigint NOT NULL,
  entries bigint NOT NULL,
  PRIMARY KEY (account_id, day, from_pot, to_pot)
);
GRANT SELECT ON ledger_days TO ringproof_app;

-- What lies in each pot of each account, by entries alone: the other side of accounts.balance and accounts.held.
CREATE VIEW ledger_pots AS
WITH moved AS (
  SELECT account_id, from_pot, to_pot, amount FROM ledger
  UNION ALL
  SELECT account_id, from_pot, to_pot, amount FROM ledger_days
)
SELECT account_id, pot, sum(amount)::bigint AS amount
FROM (
  SELECT account_id, to_pot AS pot, amount FROM moved
  UNION ALL
  SELECT account_id, from_pot, -amount FROM moved
) AS sides
GROUP BY account_id, pot;
GRANT SELECT ON ledger_pots TO ringproof_app;
