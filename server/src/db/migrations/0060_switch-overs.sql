-- Calls by minute, destination and the trunk that was tried first, and how many rang; kept for a while. A second attempt is not in
-- here: it dials numbers that another trunk could not reach. Without registry data the provider is empty. These tables are used in
-- the global database only.
CREATE TABLE route_minutes (
  minute timestamptz NOT NULL,
  country text NOT NULL,
  provider text NOT NULL,
  trunk text NOT NULL,
  dialled integer NOT NULL,
  rang integer NOT NULL,
  PRIMARY KEY (minute, country, provider, trunk)
);

-- What is usual: the same, summed up, and halved in a day.
CREATE TABLE route_usuals (
  country text NOT NULL,
  provider text NOT NULL,
  trunk text NOT NULL,
  dialled float8 NOT NULL,
  rang float8 NOT NULL,
  counted_to timestamptz NOT NULL,
  PRIMARY KEY (country, provider, trunk)
);

-- Traffic that left the first trunk in order because it rang fewer phones than usual, and why. Active until ended_at.
CREATE TABLE switch_overs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  country text NOT NULL,
  provider text NOT NULL,
  from_trunk text NOT NULL REFERENCES trunks ON DELETE CASCADE,
  to_trunk text NOT NULL REFERENCES trunks ON DELETE CASCADE,
  phase text NOT NULL CHECK (phase IN ('trial', 'moved')),
  since timestamptz NOT NULL,
  -- NULL: it was not moved, only tried.
  moved_at timestamptz,
  -- How both trunks rang when it was decided, and what is usual for the first.
  from_dialled integer NOT NULL,
  from_rang integer NOT NULL,
  to_dialled integer NOT NULL DEFAULT 0,
  to_rang integer NOT NULL DEFAULT 0,
  usual float8,
  recovered_since timestamptz,
  hold_ms float8 NOT NULL,
  is_pinned boolean NOT NULL DEFAULT false,
  is_paused boolean NOT NULL DEFAULT false,
  ended_at timestamptz,
  end_reason text CHECK (
    end_reason IN ('recovered', 'no-better', 'trunk-lost', 'order-changed', 'taken-back', 'switched-off')),
  CHECK ((ended_at IS NULL) = (end_reason IS NULL))
);
CREATE UNIQUE INDEX switch_overs_active ON switch_overs (country, provider) WHERE ended_at IS NULL;
CREATE INDEX switch_overs_by_end ON switch_overs (ended_at);

CREATE TABLE switch_over_control (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  is_on boolean NOT NULL DEFAULT true,
  -- By one keeper at a time.
  evaluated_at timestamptz NOT NULL DEFAULT '-infinity',
  usual_to timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO switch_over_control DEFAULT VALUES;
