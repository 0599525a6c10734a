-- The statement and the ledger of an account, for its people.
CREATE INDEX ledger_of_account ON ledger (account_id, id);
