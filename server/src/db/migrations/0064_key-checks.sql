-- Which keys this database is written with: for every key file a digest that only its key can make, so that a foreign key is
-- noticed before it seals or hashes anything. The digest of a random key says nothing about it.
CREATE TABLE key_checks (
  ring text NOT NULL,
  number smallint NOT NULL CHECK (number BETWEEN 1 AND 9999),
  digest bytea NOT NULL CHECK (octet_length(digest) = 32),
  -- NULL until new data is written with the key.
  activated_at timestamptz,
  PRIMARY KEY (ring, number)
);
