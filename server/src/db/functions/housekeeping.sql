-- What the housekeeping leader does, one statement a step, so that a step commits or fails whatever becomes of its client.
-- Leadership lasts for one step; other keepers do not wait for it.
CREATE OR REPLACE FUNCTION leads_housekeeping() RETURNS boolean
LANGUAGE sql
AS $$ SELECT pg_try_advisory_xact_lock(1380533059, 4) $$;

CREATE OR REPLACE FUNCTION keep_partitions(p_days_ahead integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms'
AS $$
BEGIN
  IF leads_housekeeping() THEN
    PERFORM make_partitions(p_days_ahead);
  END IF;
END
$$;

-- Drops the oldest partition of a table that is due and returns its name, or NULL.
CREATE OR REPLACE FUNCTION keep_days(p_parent text, p_days integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms'
AS $$
BEGIN
  RETURN CASE WHEN leads_housekeeping() THEN drop_old_partition(p_parent, p_days) END;
END
$$;

-- Numbers that nobody has called lately, among so many pages of the table from a given one on. Returns the page to go on with, 0 after
-- the last one, and how many pages there are. There is no index for it, which every accept would have to write; and a search
-- from the start takes longer the more numbers there are. Everything in such a row is then older than any window, also by a clock
-- that is a day ahead.
CREATE OR REPLACE FUNCTION forget_numbers(
  p_page integer, p_pages integer, p_scale float8, OUT forgotten integer, OUT next_page integer, OUT pages integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms'
AS $$
BEGIN
  forgotten := 0;
  pages := pg_relation_size('subscriber_numbers') / current_setting('block_size')::integer;
  next_page := CASE WHEN p_page + p_pages < pages THEN p_page + p_pages ELSE 0 END;
  IF leads_housekeeping() AND is_clock_trusted() THEN
    DELETE FROM subscriber_numbers AS number USING (
      SELECT hash FROM subscriber_numbers
      WHERE ctid >= format('(%s,0)', p_page)::tid AND ctid < format('(%s,0)', p_page + p_pages)::tid
        AND touched_at < clock_timestamp() - kept_numbers(p_scale)
      FOR UPDATE SKIP LOCKED) AS old
    WHERE number.hash = old.hash;
    GET DIAGNOSTICS forgotten = ROW_COUNT;
  END IF;
END
$$;

-- With their attempts, when they are as old as verifications may be. IDs begin with a second.
CREATE OR REPLACE FUNCTION forget_webhooks(p_limit integer, p_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms'
AS $$
DECLARE
  forgotten integer := 0;
BEGIN
  IF leads_housekeeping() AND is_clock_trusted() THEN
    DELETE FROM webhooks AS webhook USING (
      SELECT id FROM webhooks
      WHERE id < (floor(extract(epoch FROM clock_timestamp()))::bigint - id_epoch() - p_days::bigint * 86400) << 23
      ORDER BY id LIMIT p_limit FOR UPDATE SKIP LOCKED) AS old
    WHERE webhook.id = old.id;
    GET DIAGNOSTICS forgotten = ROW_COUNT;
  END IF;
  RETURN forgotten;
END
$$;

-- At most p_limit rows at a time: hours that are over.
CREATE OR REPLACE FUNCTION forget_prefix_usage(p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  forgotten integer;
BEGIN
  DELETE FROM prefix_usage WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM prefix_usage WHERE hour < clock_timestamp() - kept_prefix_usage() LIMIT p_limit FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;

CREATE OR REPLACE FUNCTION forget_fraud_hits(p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  forgotten integer;
BEGIN
  DELETE FROM fraud_hits WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM fraud_hits WHERE minute < clock_timestamp() - kept_fraud_hits() ORDER BY minute LIMIT p_limit));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  DELETE FROM fraud_rule_hours WHERE hour < clock_timestamp() - kept_fraud_rule_hours();
  RETURN forgotten;
END
$$;

CREATE OR REPLACE FUNCTION forget_sip_messages(p_limit integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s'
AS $$
DECLARE
  forgotten integer;
BEGIN
  DELETE FROM sip_messages WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM sip_messages WHERE recorded_at < clock_timestamp() - kept_sip_messages()
    ORDER BY recorded_at LIMIT p_limit));
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;
