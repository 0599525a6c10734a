-- The version of the program that last migrated this database; empty before the first time.
CREATE TABLE schema_version (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  version text NOT NULL
);
INSERT INTO schema_version (version) VALUES ('');
