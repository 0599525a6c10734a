-- Waits for a call that the subscriber makes. The verification of the same id has the money and the scenario; what stands here
-- is what a call is recognised by, and it is forgotten soon after the wait is over. A subscriber has one open wait at most
-- for each of our numbers, so that one call proves one wait, whoever waits. Test numbers are nobody's: any service may wait
-- for them at once, and no call from outside matches them.
CREATE TABLE inbound_requests (
  id bigint PRIMARY KEY,
  account_id integer NOT NULL,
  service_id integer NOT NULL,
  is_test boolean NOT NULL,
  subscriber_hash bytea NOT NULL CHECK (octet_length(subscriber_hash) = 32),
  confirmation_number bigint NOT NULL,
  callback_sealed bytea NOT NULL,
  -- The host of the callback by a keyed digest: deliveries to one receiver are kept in bounds without knowing it.
  receiver_digest bytea NOT NULL,
  until timestamptz NOT NULL,
  -- When a test number calls by itself; empty for those that never do.
  test_call_at timestamptz,
  is_active boolean NOT NULL DEFAULT true
) WITH (fillfactor = 60);

CREATE UNIQUE INDEX inbound_requests_one_number ON inbound_requests (subscriber_hash, confirmation_number) WHERE is_active AND NOT is_test;

CREATE INDEX inbound_requests_of_subscriber ON inbound_requests (subscriber_hash, confirmation_number);

CREATE INDEX inbound_requests_until ON inbound_requests (until);

CREATE INDEX inbound_requests_of_tests ON inbound_requests (service_id, id) WHERE is_test;

CREATE INDEX inbound_requests_test_calls ON inbound_requests (test_call_at) WHERE is_active AND test_call_at IS NOT NULL;

-- A wish to wait. Hashes are those of the subscriber under every key that may still be in use, the active one first; a number
-- and the trunk it belongs to stand at the same place.
CREATE TYPE inbound_request AS (
  request jsonb,
  hashes bytea[],
  numbers bigint[],
  trunks text[],
  callback_sealed bytea,
  receiver_digest bytea,
  inbound_seconds integer,
  test_call_seconds integer
);
