CREATE TYPE webhook_state AS ENUM ('due', 'delivered', 'dead');

-- One web-hook for each wait that was proved. The subscriber's number is not here: it lies sealed in the vault, under a name
-- that says nothing, and is erased at number_until whatever has become of the web-hook. A row that is claimed by a worker
-- has its due time moved to the end of the lease; whoever dies with it gives it back by that.
CREATE TABLE webhooks (
  id bigint PRIMARY KEY,
  service_id integer NOT NULL,
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
  -- How many of them came before somebody had it sent anew: the schedule counts from there.
  attempts_before smallint NOT NULL DEFAULT 0,
  ended_at timestamptz,
  CHECK ((state = 'due') = (ended_at IS NULL)),
  CHECK ((state = 'dead') = (reason IS NOT NULL))
) WITH (fillfactor = 60);
CREATE INDEX webhooks_due ON webhooks (due_at) WHERE state = 'due';
CREATE INDEX webhooks_dead ON webhooks (id) WHERE state = 'dead';
GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks TO ringproof_app;

-- What receivers answered. The beginning of an answer is kept without its digits: it may repeat the number.
CREATE TABLE webhook_attempts (
  id bigint NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  attempt smallint NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  duration_ms integer NOT NULL,
  status integer,
  failure text,
  answer_start text NOT NULL,
  PRIMARY KEY (id, attempt)
);
GRANT SELECT, INSERT ON webhook_attempts TO ringproof_app;

-- The call came, and the number of whoever called is in the vault: the wait is proved, its money captured and its web-hook
-- due, all at once. False when the wait is over or was proved by another call.
CREATE FUNCTION prove_wait(p_id bigint, p_vault_name text, p_life_seconds float8) RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM waits AS w WHERE w.id = p_id AND w.is_open AND w.until > clock_timestamp())
    OR NOT EXISTS (SELECT FROM end_calls(jsonb_build_array(
      jsonb_build_object('id', p_id, 'attempt', 0, 'made', true, 'reason', 'called'))))
  THEN
    RETURN false;
  END IF;
  INSERT INTO webhooks (id, service_id, callback_sealed, receiver_digest, confirmation_number, vault_name, number_until)
  SELECT w.id, w.service_id, w.callback_sealed, w.receiver_digest, w.confirmation_number, p_vault_name,
    clock_timestamp() + make_interval(secs => p_life_seconds)
  FROM waits AS w WHERE w.id = p_id;
  UPDATE waits AS w SET is_open = false WHERE w.id = p_id;
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION prove_wait FROM PUBLIC;
GRANT EXECUTE ON FUNCTION prove_wait TO ringproof_app;
