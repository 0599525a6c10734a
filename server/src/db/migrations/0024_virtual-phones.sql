-- Phones that exist only here: scenario numbers, which no carrier is ever asked for. Each belongs to one account, whose test
-- services may call it. Used in the global database only, so that no two accounts get one number.
CREATE TABLE virtual_phones (
  number bigint PRIMARY KEY CHECK (number BETWEEN 79000001000 AND 79000009999),
  account_id integer NOT NULL,
  -- What it does with the next call.
  state text NOT NULL DEFAULT 'rings' CHECK (state IN ('rings', 'fails', 'answers', 'busy', 'off')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX virtual_phones_of_account ON virtual_phones (account_id);

-- What goes wrong on purpose with every test call of an account.
CREATE TABLE virtual_phone_faults (
  account_id integer NOT NULL,
  fault text NOT NULL CHECK (fault IN ('late-ring', 'no-ring', 'changed-caller', 'webhook-twice')),
  PRIMARY KEY (account_id, fault)
);
