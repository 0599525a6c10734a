CREATE TYPE webhook_state AS ENUM ('due', 'delivered', 'dead');

-- One webhook for each wait that was proved. The subscriber's number is not here: it lies sealed in the vault, under a name
-- that says nothing, and is erased at number_until whatever has become of the webhook. A row that is claimed by a worker
-- has its due time moved to the end of the lease; whoever dies with it gives it back by that.
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
  -- How many of them came before somebody had it sent anew: the schedule counts from there.
  attempts_before smallint NOT NULL DEFAULT 0,
  ended_at timestamptz,
  CHECK ((state = 'due') = (ended_at IS NULL)),
  CHECK ((state = 'dead') = (reason IS NOT NULL))
) WITH (fillfactor = 60);
CREATE INDEX webhooks_due ON webhooks (service_id, due_at) WHERE state = 'due';
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
  response_start text NOT NULL,
  PRIMARY KEY (id, attempt)
);
GRANT SELECT, INSERT ON webhook_attempts TO ringproof_app;

-- Calls came, and the number of whoever called is in the vault: the waits are proved, their money captured and their
-- webhooks due, all at once. Gives the places of those that were; a wait that is over, or was proved by another call, also
-- by one of the same batch, is not.
CREATE FUNCTION match_inbound_calls(p_ids bigint[], p_vault_names text[], p_life_seconds float8) RETURNS SETOF integer
LANGUAGE plpgsql SET search_path = public, pg_temp
AS $$
DECLARE
  open_places integer[] := ARRAY(
    SELECT p.o FROM unnest(p_ids) WITH ORDINALITY AS p(id, o) JOIN inbound_requests AS w USING (id)
    WHERE w.is_active AND w.until > clock_timestamp() ORDER BY p.o);
  proved integer[];
BEGIN
  proved := ARRAY(
    SELECT open_places[e] FROM end_calls((
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', p_ids[o], 'attempt', 0, 'succeeded', true, 'reason', 'called')), '[]')
      FROM unnest(open_places) AS o)) AS e);
  INSERT INTO webhooks (id, service_id, is_test, callback_sealed, receiver_digest, confirmation_number, vault_name, number_until)
  SELECT w.id, w.service_id, w.is_test, w.callback_sealed, w.receiver_digest, w.confirmation_number, p_vault_names[o],
    clock_timestamp() + make_interval(secs => p_life_seconds)
  FROM unnest(proved) AS o JOIN inbound_requests AS w ON w.id = p_ids[o];
  UPDATE inbound_requests AS w SET is_active = false FROM unnest(proved) AS o WHERE w.id = p_ids[o];
  RETURN QUERY SELECT unnest(proved);
END
$$;
REVOKE ALL ON FUNCTION match_inbound_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION match_inbound_calls TO ringproof_app;
