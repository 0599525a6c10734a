-- Finds verifications of an account: newest first, by number, and by what the customer called the person (a keyed digest).
-- Nothing updates these columns but the erasure of a person, so updates of a call still stay in their page. Hash indexes hold
-- four bytes an entry, and none for NULL.
ALTER TABLE verifications ADD COLUMN client_digest bytea CHECK (octet_length(client_digest) = 8);
ALTER TYPE call_request ADD ATTRIBUTE client_digest bytea;

CREATE INDEX verifications_of_account ON verifications (account_id, id);
CREATE INDEX verifications_by_number ON verifications USING hash (phone_hash);
CREATE INDEX verifications_by_client ON verifications USING hash (client_digest);
