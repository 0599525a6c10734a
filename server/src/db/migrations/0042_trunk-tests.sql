-- Test calls from the console. The dialled number is not here: only its mask. The caller is a number of ours. seen_digits are what the
-- operator saw on the phone.
CREATE TABLE trunk_tests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  trunk text NOT NULL REFERENCES trunks ON DELETE CASCADE,
  phone_mask text NOT NULL,
  caller_number bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  rang_after_ms integer,
  messages jsonb NOT NULL DEFAULT '[]',
  outcome text,
  sip_status smallint,
  ended_at timestamptz,
  seen_digits text CHECK (seen_digits ~ '^[0-9]{4}$')
);

CREATE INDEX trunk_tests_of_trunk ON trunk_tests (trunk, id DESC);
