-- What was said on the wire in one attempt of a call, for 72 hours: one row an attempt, its messages in order, each with its
-- time on the wall clock of the switch. There is no number and no code in it: they are removed before it is written.
CREATE TABLE sip_messages (
  id bigint NOT NULL,
  attempt smallint NOT NULL,
  trunk text NOT NULL,
  messages jsonb NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (id, attempt)
);
CREATE INDEX sip_messages_recorded_at ON sip_messages (recorded_at);
