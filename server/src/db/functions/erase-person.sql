-- Erases a person from verifications that are over; one in progress stays as it is. The caller gives what replaces each hash
-- and each sealed text: random bytes and sealed empty texts, so that nothing links the rows and every reader still works.
-- Ledger entries know no person and stay. A webhook that is still due is not delivered any more. Returns the verifications
-- that were erased.
CREATE OR REPLACE FUNCTION erase_persons(p_ids bigint[], p_hashes bytea[], p_persons bytea[], p_callbacks bytea[])
RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  erased bigint[];
BEGIN
  WITH given AS (
    SELECT * FROM unnest(p_ids, p_hashes, p_persons) AS listed(id, hash, person)
  ), changed AS (
    UPDATE verifications AS call SET phone_hash = given.hash, person_sealed = given.person, client_digest = NULL,
      prefix = NULL
    FROM given WHERE call.id = given.id AND call.ended_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM ladders AS ladder WHERE ladder.id = call.ladder_id AND ladder.state = 'pending')
    RETURNING call.id
  )
  SELECT coalesce(array_agg(id), '{}') INTO erased FROM changed;

  UPDATE ladders AS ladder SET phone_hash = given.hash
  FROM unnest(p_ids, p_hashes) AS given(id, hash) WHERE ladder.id = given.id AND ladder.id = ANY (erased);
  DELETE FROM idempotency_keys WHERE id = ANY (erased);
  DELETE FROM inbound_requests WHERE id = ANY (erased);
  UPDATE webhooks AS webhook SET callback_sealed = given.callback, receiver_digest = '\x0000000000000000',
    number_until = least(webhook.number_until, clock_timestamp()),
    state = CASE WHEN webhook.state = 'due' THEN 'dead' ELSE webhook.state END,
    reason = CASE WHEN webhook.state = 'due' THEN 'erased' ELSE webhook.reason END,
    ended_at = coalesce(webhook.ended_at, clock_timestamp())
  FROM unnest(p_ids, p_callbacks) AS given(id, callback) WHERE webhook.id = given.id AND webhook.id = ANY (erased);
  UPDATE webhook_attempts SET response_start = '' WHERE id = ANY (erased);
  RETURN QUERY SELECT unnest(erased);
END
$$;

-- Forgets the calls to a number that its limits are counted by, unless a call to it is in progress. Returns whether there
-- were any.
CREATE OR REPLACE FUNCTION erase_number(p_hashes bytea[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
  DELETE FROM subscriber_numbers
  WHERE hash = ANY (p_hashes) AND (lease_id IS NULL OR lease_until <= clock_timestamp());
  RETURN FOUND;
END
$$;
