-- Of the worker that dials: it may ask again whether its claim was committed.
ALTER TABLE verifications ADD COLUMN claim_token bigint;
