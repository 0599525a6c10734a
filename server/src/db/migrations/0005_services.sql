CREATE TABLE services (
  id integer PRIMARY KEY CHECK (id >= 64),
  account_id integer NOT NULL REFERENCES accounts CHECK (account_id % 64 = id % 64),
  name text NOT NULL,
  use_direction text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'on' CHECK (state IN ('on', 'off', 'archived')),
  -- Calls only test numbers and the virtual phones of its account, and is free.
  is_test boolean NOT NULL DEFAULT false,
  -- At the edge.
  addresses text[] NOT NULL DEFAULT '{}',
  status_style text NOT NULL DEFAULT 'class' CHECK (status_style IN ('class', 'ok')),
  id_alias text NOT NULL DEFAULT '',
  repeats boolean NOT NULL DEFAULT false,
  plain_http boolean NOT NULL DEFAULT true,
  requests_per_second integer CHECK (requests_per_second > 0),
  -- Whom it may call, and how often.
  geography text[] NOT NULL DEFAULT '{RU,KZ}',
  calls_per_number_10_minutes integer NOT NULL DEFAULT 4 CHECK (calls_per_number_10_minutes BETWEEN 1 AND 30),
  calls_per_number_day integer NOT NULL DEFAULT 10 CHECK (calls_per_number_day BETWEEN 1 AND 30),
  verifications_hour_max integer CHECK (verifications_hour_max >= 0),
  verifications_day_max integer CHECK (verifications_day_max >= 0),
  spend_day_max bigint CHECK (spend_day_max >= 0),
  prefix_hour_max integer CHECK (prefix_hour_max >= 0),
  -- Local hours in which nobody is called, such as 22:00-08:00; and where it is not known where a number is, whose clock counts.
  quiet_hours text NOT NULL DEFAULT '' CHECK (quiet_hours ~ '^([0-9]{2}:[0-9]{2}-[0-9]{2}:[0-9]{2})?$'),
  time_zone text NOT NULL DEFAULT 'Europe/Moscow',
  test_numbers boolean NOT NULL DEFAULT true,
  -- Inbound calls, webhooks, speech. The second secret is the one before, while receivers change over.
  inbound_seconds integer NOT NULL DEFAULT 120 CHECK (inbound_seconds BETWEEN 30 AND 300),
  webhook_secret_sealed bytea NOT NULL,
  webhook_secret_before_sealed bytea,
  webhook_secret_before_until timestamptz,
  language text NOT NULL DEFAULT 'ru' CHECK (language IN ('ru', 'en', 'kk')),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 60);

CREATE INDEX services_of_account ON services (account_id);
