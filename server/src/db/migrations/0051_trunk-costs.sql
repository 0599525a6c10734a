-- What a carrier takes for one dialled call, by trunk, mode and country. As prices, a cost is never changed, only followed by a newer one;
-- it outlives its trunk, because the counts of last month do. Used in the global database only.
CREATE TABLE trunk_costs (
  trunk text NOT NULL CHECK (trunk ~ '^[a-z0-9-]{1,32}$'),
  mode text NOT NULL CHECK (mode IN ('flash', 'voice', 'mix', 'inbound')),
  country text NOT NULL CHECK (country ~ '^([A-Z]{2}|\*)$'),
  valid_from timestamptz NOT NULL,
  cost bigint NOT NULL CHECK (cost >= 0 AND cost % 100 = 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (trunk, mode, country, valid_from)
);
