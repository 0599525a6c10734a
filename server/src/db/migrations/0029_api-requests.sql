-- The API log: requests to /v1.0, in partitions of an hour, kept for some days. No number, mask, code, key, client, unique or
-- callback URL is in a row: the values of such fields are placeholders, and a page fills them in from the sealed verification.
CREATE TABLE api_requests (
  at timestamptz NOT NULL,
  -- The X-Request-Id of the response.
  id uuid NOT NULL,
  account_id integer NOT NULL,
  service_id integer NOT NULL,
  -- Of a test service, or to a test number.
  is_test boolean NOT NULL,
  method text NOT NULL,
  verb text NOT NULL,
  http_status smallint NOT NULL,
  -- Of a refused request.
  code integer,
  refusal text,
  ms integer NOT NULL,
  address text NOT NULL,
  auth text NOT NULL,
  user_agent text NOT NULL,
  verification_id bigint,
  request json NOT NULL,
  response json NOT NULL
) PARTITION BY RANGE (at);

CREATE INDEX api_requests_of_account ON api_requests (account_id, at, id);
CREATE INDEX api_requests_by_id ON api_requests (id);
-- Refusals are few among many.
CREATE INDEX api_requests_refused ON api_requests (account_id, at, id) WHERE code IS NOT NULL;

-- How many requests there were, the ones that have no row in api_requests included. Ten minutes each.
CREATE TABLE api_request_counts (
  account_id integer NOT NULL,
  since timestamptz NOT NULL,
  service_id integer NOT NULL,
  is_test boolean NOT NULL,
  method text NOT NULL,
  -- Empty for a request that was served.
  refusal text NOT NULL,
  -- What the refusal is about: a parameter, a country or a scope; empty if nothing.
  subject text NOT NULL,
  -- The request took at most this long.
  ms_max integer NOT NULL,
  requests bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, since, service_id, is_test, method, refusal, subject, ms_max)
) WITH (fillfactor = 70);

CREATE INDEX api_request_counts_by_time ON api_request_counts (since);
