-- Subscribers who want no calls, each in the database of its number. The digest is under a key that is never replaced: the
-- number itself is not kept, so no digest could be made anew.
CREATE TABLE opt_outs (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
