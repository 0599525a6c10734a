-- What people did to an account, or to what belongs to nobody (account_id is then empty). Never a secret in details.
CREATE TABLE action_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer,
  action text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  address text NOT NULL,
  user_agent text NOT NULL DEFAULT '',
  -- The operating-system user behind the operator's CLI; never shown to a customer.
  operator text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE INDEX action_log_of_account ON action_log (account_id, id DESC);
