-- An operator looks at the dashboard of a customer: which account, and until when. Such a session can change nothing.
ALTER TABLE web_sessions
  ADD COLUMN viewed_account_id integer,
  ADD COLUMN viewed_until timestamptz,
  ADD CHECK ((viewed_account_id IS NULL) = (viewed_until IS NULL));
