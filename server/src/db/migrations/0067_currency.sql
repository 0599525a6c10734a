-- The currency of every amount in this database. What was written before is in the default.
ALTER TABLE installation ADD COLUMN currency text NOT NULL DEFAULT 'RUB' CHECK (currency ~ '^[A-Z]{3}$');
