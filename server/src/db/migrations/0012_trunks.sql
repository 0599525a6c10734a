-- Where calls go out, and which numbers they show. Used in the global database only.
CREATE TABLE trunks (
  name text PRIMARY KEY CHECK (name ~ '^[a-z0-9-]{1,32}$'),
  is_on boolean NOT NULL DEFAULT true,
  -- Leads to the virtual phones, and carries nothing else.
  is_test boolean NOT NULL DEFAULT false,
  priority integer NOT NULL DEFAULT 100,
  countries text[] NOT NULL DEFAULT '{*}',
  channels integer NOT NULL CHECK (channels > 0),
  calls_per_second double precision NOT NULL CHECK (calls_per_second > 0),
  counts_early_media boolean NOT NULL DEFAULT false,
  ring_seconds integer CHECK (ring_seconds BETWEEN 1 AND 20),
  -- Where the carrier is, how it knows us, and how it wants numbers spelled. They stand in SIP messages, so what may be in
  -- them is said here once more.
  address text NOT NULL DEFAULT '' CHECK (address ~ '^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])?(:[0-9]{1,5})?$'),
  transport text NOT NULL DEFAULT 'udp' CHECK (transport IN ('udp', 'tcp', 'tls')),
  sip_user text CHECK (sip_user ~ '^[A-Za-z0-9_.+-]{1,64}$'),
  password_sealed bytea,
  outbound_registration boolean NOT NULL DEFAULT false,
  called_prefix text NOT NULL DEFAULT '' CHECK (called_prefix ~ '^[0-9*]{0,12}$'),
  called_format text NOT NULL DEFAULT 'e164-no-plus' CHECK (called_format IN ('e164', 'e164-no-plus', 'ru-8', 'ru-10')),
  caller_format text NOT NULL DEFAULT 'e164-no-plus' CHECK (caller_format IN ('e164', 'e164-no-plus', 'ru-8', 'ru-10')),
  caller_id_header text NOT NULL DEFAULT 'pai' CHECK (caller_id_header IN ('from', 'pai', 'rpid')),
  from_user text CHECK (from_user ~ '^[A-Za-z0-9_.+-]{1,64}$'),
  inbound_format text NOT NULL DEFAULT 'e164' CHECK (inbound_format IN ('e164', 'e164-no-plus', 'ru-8', 'ru-10')),
  -- Which header of an inbound call names the caller.
  identity text NOT NULL DEFAULT 'pai' CHECK (identity IN ('pai', 'from')),
  -- What an inbound call over UDP is worth whose sender has not shown that it received our reply.
  return_path text NOT NULL DEFAULT 'record' CHECK (return_path IN ('record', 'enforce')),
  allows_relay boolean NOT NULL DEFAULT false,
  -- Its key travels in the SIP message, so only TLS keeps it secret.
  srtp boolean NOT NULL DEFAULT false CHECK (NOT srtp OR transport = 'tls'),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (NOT outbound_registration OR (sip_user IS NOT NULL AND password_sealed IS NOT NULL)),
  -- With somebody else in From, another header must show the number.
  CHECK (from_user IS NULL OR caller_id_header <> 'from')
);

CREATE UNIQUE INDEX trunks_one_test ON trunks (is_test) WHERE is_test;

-- Whether a carrier is there, as each telephony node sees it. A node that is dead says nothing, and what it said grows old.
CREATE TABLE trunk_states (
  trunk text NOT NULL REFERENCES trunks ON DELETE CASCADE,
  node text NOT NULL,
  is_up boolean NOT NULL,
  reason text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (trunk, node)
);

-- How many inbound calls over UDP were confirmed by an ACK of our reply, since the trunk began to record.
CREATE TABLE trunk_return_paths (
  trunk text PRIMARY KEY REFERENCES trunks ON DELETE CASCADE,
  confirmed bigint NOT NULL DEFAULT 0,
  unconfirmed bigint NOT NULL DEFAULT 0
);

-- The kill switch: one row while all trunks are stopped, none otherwise. Used in the global database only.
CREATE TABLE trunk_stops (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  reason text NOT NULL,
  stopped_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
