-- What proves that the carrier of an inbound call sent it: its TLS or TCP connection, the ACK of our reply over UDP, or nothing but the
-- source address. Null for outgoing calls, for those of test numbers, and for calls before this column.
ALTER TABLE verifications ADD COLUMN assurance text CHECK (assurance IN ('tls', 'tcp', 'ack', 'none'));

-- It has one more argument now, with a default: processes of the last version still find it.
DROP FUNCTION IF EXISTS match_inbound_calls(bigint[], text[], float8);
