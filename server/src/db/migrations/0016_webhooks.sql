CREATE TYPE webhook_state AS ENUM ('due', 'delivered', 'dead');

-- One webhook for each inbound verification that succeeded. The subscriber's number is not here: it is sealed in the vault,
-- under a random name, and is erased at number_until whatever became of the webhook. A worker claims a row by moving its due
-- time to the end of the lease; when the worker dies, the row is due again.
CREATE TABLE webhooks (
  id bigint PRIMARY KEY,
  service_id integer NOT NULL,
  is_test boolean NOT NULL,
  state webhook_state NOT NULL DEFAULT 'due',
  reason text,
  callback_sealed bytea NOT NULL,
  receiver_digest bytea NOT NULL,
  confirmation_number bigint NOT NULL,
  vault_name text NOT NULL,
  called_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  number_until timestamptz NOT NULL,
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts smallint NOT NULL DEFAULT 0,
  -- Attempts before the operator sent it again: the schedule counts from there.
  attempts_before smallint NOT NULL DEFAULT 0,
  ended_at timestamptz,
  CHECK ((state = 'due') = (ended_at IS NULL)),
  CHECK ((state = 'dead') = (reason IS NOT NULL))
) WITH (fillfactor = 60);

CREATE INDEX webhooks_due ON webhooks (service_id, due_at) WHERE state = 'due';

CREATE INDEX webhooks_dead ON webhooks (id) WHERE state = 'dead';

-- What receivers responded. The start of a response is kept without its digits: it may repeat the number.
CREATE TABLE webhook_attempts (
  id bigint NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  attempt smallint NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  duration_ms integer NOT NULL,
  status integer,
  failure text,
  response_start text NOT NULL,
  PRIMARY KEY (id, attempt)
);
