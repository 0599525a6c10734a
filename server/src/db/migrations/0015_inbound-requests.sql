-- Inbound verifications that wait for the subscriber's call. The verification with the same ID has the money and the state;
-- here is what a call is matched by, and it is deleted soon after the verification is over. A subscriber has at most one active
-- request for each of our numbers, over all accounts, so that one call matches one request. Test numbers belong to nobody:
-- any number of services may wait for them at once, and no call from outside matches them.
CREATE TABLE inbound_requests (
  id bigint PRIMARY KEY,
  account_id integer NOT NULL,
  service_id integer NOT NULL,
  is_test boolean NOT NULL,
  subscriber_hash bytea NOT NULL CHECK (octet_length(subscriber_hash) = 32),
  confirmation_number bigint NOT NULL,
  callback_sealed bytea NOT NULL,
  -- A keyed digest of the callback's host: deliveries to one receiver are limited without knowing it.
  receiver_digest bytea NOT NULL,
  until timestamptz NOT NULL,
  -- When a test number calls; NULL for those that never do.
  test_call_at timestamptz,
  is_active boolean NOT NULL DEFAULT true
) WITH (fillfactor = 60);

CREATE UNIQUE INDEX inbound_requests_one_number ON inbound_requests (subscriber_hash, confirmation_number) WHERE is_active AND NOT is_test;

CREATE INDEX inbound_requests_of_subscriber ON inbound_requests (subscriber_hash, confirmation_number);

CREATE INDEX inbound_requests_until ON inbound_requests (until);

CREATE INDEX inbound_requests_of_tests ON inbound_requests (service_id, id) WHERE is_test;

CREATE INDEX inbound_requests_test_calls ON inbound_requests (test_call_at) WHERE is_active AND test_call_at IS NOT NULL;

-- A request of start_inbound_requests. Hashes are those of the subscriber under every key that may still be in use, the active
-- one first. Numbers and their trunks have the same order.
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
