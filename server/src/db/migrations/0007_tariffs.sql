-- Used in the global database only.
CREATE TABLE tariffs (
  code text PRIMARY KEY CHECK (code ~ '^[a-z0-9_-]{1,32}$'),
  name text NOT NULL,
  charges_failed boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

INSERT INTO tariffs (code, name) VALUES ('uni', 'Universal');

-- A price is never changed, only followed by a newer one. Country '*' stands for every country without its own price.
CREATE TABLE tariff_prices (
  tariff text NOT NULL REFERENCES tariffs,
  method text NOT NULL CHECK (method IN ('initCall', 'inboundCallWaiting', 'checkPhone')),
  mode text NOT NULL CHECK (mode IN ('', 'flash', 'voice', 'mix')),
  country text NOT NULL CHECK (country ~ '^([A-Z]{2}|\*)$'),
  valid_from timestamptz NOT NULL,
  -- The interface shows four decimals, so a price has no more.
  price bigint NOT NULL CHECK (price >= 0 AND price % 100 = 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tariff, method, mode, country, valid_from),
  CHECK ((method = 'initCall') = (mode <> ''))
);
