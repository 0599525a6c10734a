-- Ends those of the given verifications that are overdue, a limited number of them. An account whose row is locked is left
-- out and given back as skipped: nobody waits for it here, and the others' holds are released. With p_requests the lock is
-- waited for until lock_timeout: a busy account, whose row is locked most of the time, gets its turn that way. Accounts are
-- locked before verifications, against the order of end_calls; that cannot deadlock, because no row is waited for while
-- another is locked.
CREATE OR REPLACE FUNCTION end_overdue(
  p_ids bigint[], p_accounts integer[], p_limit integer, p_requests boolean,
  OUT ended integer, OUT taken bigint[], OUT skipped integer[])
LANGUAGE plpgsql SET search_path = public, pg_temp SET enable_seqscan = off
AS $$
DECLARE
  free integer[];
  chosen bigint[];
  ends jsonb;
BEGIN
  IF p_requests THEN
    free := ARRAY(SELECT a.id FROM accounts AS a WHERE a.id = ANY (p_accounts) ORDER BY a.id FOR UPDATE);
  ELSE
    free := ARRAY(SELECT a.id FROM accounts AS a WHERE a.id = ANY (p_accounts) ORDER BY a.id FOR UPDATE SKIP LOCKED);
  END IF;
  chosen := ARRAY(SELECT o.id FROM unnest(p_ids, p_accounts) AS o(id, account_id)
                  WHERE o.account_id = ANY (free) LIMIT p_limit);
  SELECT coalesce(array_agg(v.id), '{}'), coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'attempt', v.attempt,
    'succeeded', v.rang_at IS NOT NULL AND v.mode <> 'voice', 'reason', CASE
      WHEN v.mode = 'inbound' THEN 'not-called'
      WHEN v.state = 'accepted' THEN 'not-started'
      WHEN v.rang_at IS NULL THEN 'lost'
      ELSE 'lost-ringing' END)), '[]')
  INTO taken, ends
  FROM (SELECT * FROM verifications AS v WHERE v.id = ANY (chosen)
          AND clock_timestamp() >= CASE WHEN v.state = 'accepted' THEN v.start_until ELSE v.end_until END
        ORDER BY v.id FOR UPDATE SKIP LOCKED) AS v;
  SELECT count(*) INTO ended FROM end_calls(ends);
  skipped := ARRAY(SELECT DISTINCT unnest(p_accounts) EXCEPT SELECT unnest(free));
END
$$;

-- Ends calls that are overdue: what nobody claimed in time, and what has not ended by its deadline. A flash call that rang
-- was made. Reads from the mark on, and moves the mark. Any number of keepers may sweep at once. With an account, its calls
-- alone, and its row is waited for.
CREATE OR REPLACE FUNCTION sweep_calls(p_limit integer, p_account integer, OUT ended integer, OUT skipped integer[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' SET enable_seqscan = off
SET jit = off
AS $$
DECLARE
  mark sweep_marks;
  newest_id bigint;
  own_xid xid8;
  is_settled boolean;
  first_open bigint;
  ids bigint[];
  account_ids integer[];
BEGIN
  -- In this order: whoever has drawn an id below newest_id locked its account before, so its transaction is older than ours.
  SELECT (last_value >> 17) << 23 INTO newest_id FROM id_ticks;
  own_xid := pg_current_xact_id();
  SELECT * INTO mark FROM sweep_marks;
  is_settled := mark.next_xid < pg_snapshot_xmin(pg_current_snapshot());
  -- A sequence that was set back gives ids below the mark.
  mark.from_id := least(mark.from_id, newest_id);

  SELECT min(v.id), array_agg(v.id) FILTER (WHERE v.is_overdue), array_agg(v.account_id) FILTER (WHERE v.is_overdue)
  INTO first_open, ids, account_ids
  FROM (SELECT v.id, v.account_id,
          clock_timestamp() >= CASE WHEN v.state = 'accepted' THEN v.start_until ELSE v.end_until END AS is_overdue
        FROM verifications AS v
        WHERE v.id >= mark.from_id AND v.state IN ('accepted', 'dialling')
          -- Inbound waits are found by their own table; here only one that was missed there for an hour.
          AND (v.mode <> 'inbound' OR v.end_until < clock_timestamp() - interval '1 hour')
          AND (p_account IS NULL OR v.account_id = p_account)
        ORDER BY v.id) AS v;
  SELECT e.ended, e.skipped INTO ended, skipped FROM end_overdue(ids, account_ids, p_limit, p_account IS NOT NULL) AS e;
  IF p_account IS NOT NULL THEN
    RETURN;
  END IF;

  IF is_settled THEN
    mark.from_id := least(first_open, greatest(mark.from_id, mark.next_id), newest_id);
  END IF;
  -- A transaction of the future is another cluster's: the database was restored from a dump.
  IF is_settled OR mark.next_xid > own_xid THEN
    mark.next_id := newest_id;
    mark.next_xid := own_xid;
  END IF;
  UPDATE sweep_marks AS m SET (from_id, next_id, next_xid) = (mark.from_id, mark.next_id, mark.next_xid)
  FROM (SELECT is_only FROM sweep_marks FOR UPDATE SKIP LOCKED) AS l WHERE m.is_only = l.is_only;
END
$$;

-- Ends inbound waits whose time is over, and forgets those that have been over for so long that nobody asks why a call was
-- late.
CREATE OR REPLACE FUNCTION sweep_inbound_requests(p_limit integer, p_account integer, p_scale float8, OUT ended integer, OUT skipped integer[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' SET enable_seqscan = off
SET jit = off
AS $$
DECLARE
  ids bigint[];
  account_ids integer[];
  taken bigint[];
BEGIN
  SELECT array_agg(w.id), array_agg(w.account_id) INTO ids, account_ids
  FROM (SELECT w.id, v.account_id FROM inbound_requests AS w JOIN verifications AS v ON v.id = w.id
        WHERE w.until <= clock_timestamp() AND w.is_active AND (p_account IS NULL OR v.account_id = p_account)
        ORDER BY w.until) AS w;
  SELECT e.ended, e.taken, e.skipped INTO ended, taken, skipped
  FROM end_overdue(ids, account_ids, p_limit, p_account IS NOT NULL) AS e;
  UPDATE inbound_requests AS w SET is_active = false WHERE w.id = ANY (taken);
  IF p_account IS NULL THEN
    DELETE FROM inbound_requests AS w USING (
      SELECT id FROM inbound_requests WHERE until < clock_timestamp() - interval '10 minutes' * p_scale AND NOT is_active
      ORDER BY until LIMIT p_limit FOR UPDATE SKIP LOCKED) AS old
    WHERE w.id = old.id;
  END IF;
END
$$;
