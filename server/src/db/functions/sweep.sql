-- What keepers do about overdue calls. Each function is one statement and so one transaction that commits without its client:
-- a keeper that is frozen or gone holds no lock.

-- Ends those of the given verifications that are overdue, at most p_limit of them. An account whose row is locked is skipped
-- and returned as such, so that the holds of the others are released at once. With p_waits the lock is waited for until
-- lock_timeout: that is how a busy account, whose row is locked most of the time, gets its turn. Accounts are locked before
-- verifications, against the order of end_calls; that cannot deadlock, because no row is waited for while another is locked.
CREATE OR REPLACE FUNCTION end_overdue(
  p_ids bigint[], p_accounts integer[], p_limit integer, p_waits boolean,
  OUT ended integer, OUT taken bigint[], OUT skipped integer[])
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_seqscan = off
AS $$
DECLARE
  free integer[];
  chosen bigint[];
  ends jsonb;
BEGIN
  -- Most rounds of a keeper find nothing.
  IF p_ids IS NULL THEN
    ended := 0;
    taken := '{}';
    skipped := '{}';
    RETURN;
  END IF;
  IF p_waits THEN
    free := ARRAY(SELECT id FROM accounts WHERE id = ANY (p_accounts) ORDER BY id FOR UPDATE);
  ELSE
    free := ARRAY(SELECT id FROM accounts WHERE id = ANY (p_accounts) ORDER BY id FOR UPDATE SKIP LOCKED);
  END IF;
  chosen := ARRAY(SELECT overdue.id FROM unnest(p_ids, p_accounts) AS overdue(id, account_id)
                  WHERE overdue.account_id = ANY (free) LIMIT p_limit);
  SELECT coalesce(array_agg(locked.id), '{}'), coalesce(jsonb_agg(jsonb_build_object('id', locked.id,
    'attempt', locked.attempt, 'succeeded', locked.rang_at IS NOT NULL AND locked.mode <> 'voice', 'reason', CASE
      WHEN locked.mode = 'inbound' THEN 'not-called'
      WHEN locked.state = 'accepted' THEN 'not-started'
      WHEN locked.rang_at IS NULL THEN 'lost'
      ELSE 'lost-ringing' END)), '[]')
  INTO taken, ends
  FROM (SELECT * FROM verifications WHERE id = ANY (chosen)
          AND clock_timestamp() >= CASE WHEN state = 'accepted' THEN start_until ELSE end_until END
        ORDER BY id FOR UPDATE SKIP LOCKED) AS locked;
  SELECT count(*) INTO ended FROM end_calls(ends);
  skipped := ARRAY(SELECT DISTINCT unnest(p_accounts) EXCEPT SELECT unnest(free));
END
$$;

-- Ends overdue calls: those that no worker claimed in time, and those that have not ended by their deadline. A flash call that
-- rang has succeeded. Reads from the mark on, and moves the mark. Any number of keepers may sweep at once. With p_account it
-- ends only the calls of that account, and waits for its row.
CREATE OR REPLACE FUNCTION sweep_calls(p_limit integer, p_account integer, OUT ended integer, OUT skipped integer[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' SET enable_seqscan = off
SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  mark sweep_marks;
  newest_id bigint;
  own_xid xid8;
  is_settled boolean;
  first_active bigint;
  ids bigint[];
  account_ids integer[];
BEGIN
  -- In this order: a transaction that has drawn an ID below newest_id has locked its account before, so it is older than ours.
  SELECT (last_value >> 17) << 23 INTO newest_id FROM id_ticks;
  own_xid := pg_current_xact_id();
  SELECT * INTO mark FROM sweep_marks;
  is_settled := mark.next_xid < pg_snapshot_xmin(pg_current_snapshot());
  -- A sequence that was set back gives IDs below the mark.
  mark.from_id := least(mark.from_id, newest_id);

  SELECT min(active.id), array_agg(active.id) FILTER (WHERE active.is_overdue),
    array_agg(active.account_id) FILTER (WHERE active.is_overdue)
  INTO first_active, ids, account_ids
  FROM (SELECT id, account_id,
          clock_timestamp() >= CASE WHEN state = 'accepted' THEN start_until ELSE end_until END AS is_overdue
        FROM verifications
        WHERE id >= mark.from_id AND state IN ('accepted', 'dialling')
          -- Inbound verifications are swept by sweep_inbound_requests; here only one that it has missed for an hour.
          AND (mode <> 'inbound' OR end_until < clock_timestamp() - interval '1 hour')
          AND (p_account IS NULL OR account_id = p_account)
        ORDER BY id) AS active;
  SELECT overdue.ended, overdue.skipped INTO ended, skipped
  FROM end_overdue(ids, account_ids, p_limit, p_account IS NOT NULL) AS overdue;
  IF p_account IS NOT NULL THEN
    RETURN;
  END IF;

  IF is_settled THEN
    mark.from_id := least(first_active, greatest(mark.from_id, mark.next_id), newest_id);
  END IF;
  -- A transaction ID of the future comes from another cluster: the database was restored from a dump.
  IF is_settled OR mark.next_xid > own_xid THEN
    mark.next_id := newest_id;
    mark.next_xid := own_xid;
  END IF;
  UPDATE sweep_marks SET (from_id, next_id, next_xid) = (mark.from_id, mark.next_id, mark.next_xid)
  FROM (SELECT is_only FROM sweep_marks FOR UPDATE SKIP LOCKED) AS locked WHERE sweep_marks.is_only = locked.is_only;
END
$$;

-- Ends inbound verifications whose time is over, and deletes requests that have been over for so long that no late call has
-- to be explained by them.
CREATE OR REPLACE FUNCTION sweep_inbound_requests(p_limit integer, p_account integer, p_scale float8, OUT ended integer, OUT skipped integer[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' SET enable_seqscan = off
SET jit = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  ids bigint[];
  account_ids integer[];
  taken bigint[];
BEGIN
  SELECT array_agg(expired.id), array_agg(expired.account_id) INTO ids, account_ids
  FROM (SELECT request.id, verification.account_id
        FROM inbound_requests AS request JOIN verifications AS verification ON verification.id = request.id
        WHERE request.until <= clock_timestamp() AND request.is_active
          AND (p_account IS NULL OR verification.account_id = p_account)
        ORDER BY request.until) AS expired;
  SELECT overdue.ended, overdue.taken, overdue.skipped INTO ended, taken, skipped
  FROM end_overdue(ids, account_ids, p_limit, p_account IS NOT NULL) AS overdue;
  UPDATE inbound_requests SET is_active = false WHERE id = ANY (taken);
  IF p_account IS NULL THEN
    DELETE FROM inbound_requests USING (
      SELECT id FROM inbound_requests WHERE until < clock_timestamp() - kept_inbound_requests(p_scale) AND NOT is_active
      ORDER BY until LIMIT p_limit FOR UPDATE SKIP LOCKED) AS old
    WHERE inbound_requests.id = old.id;
  END IF;
END
$$;
