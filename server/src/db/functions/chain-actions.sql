-- Chains up to batch entries that are not in the chain yet, and returns its head. One session at a time. No transaction stays open
-- for an hour, so everything before the entries of an hour ago is chained. What a hash covers, db/installation/action-chain.ts computes again.
CREATE OR REPLACE FUNCTION chain_actions(batch integer, OUT sequence bigint, OUT hash bytea, OUT added integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry record;
  after_id bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(1380533060, 2);
  SELECT link.sequence, link.hash INTO sequence, hash FROM action_chain AS link ORDER BY link.sequence DESC LIMIT 1;
  sequence := coalesce(sequence, 0);
  hash := coalesce(hash, '\x');
  added := 0;
  SELECT max(link.entry_id) INTO after_id FROM action_chain AS link JOIN action_log AS log ON log.id = link.entry_id
  WHERE log.created_at < clock_timestamp() - interval '1 hour';
  FOR entry IN
    SELECT log.id, jsonb_build_array(log.id, log.account_id, log.action, log.details, log.address, log.user_agent, log.operator,
        (extract(epoch FROM log.created_at) * 1000000)::bigint)::text AS body
    FROM action_log AS log
    WHERE log.id > coalesce(after_id, 0) AND NOT EXISTS (SELECT FROM action_chain AS link WHERE link.entry_id = log.id)
    ORDER BY log.id LIMIT batch
  LOOP
    sequence := sequence + 1;
    hash := sha256(hash || convert_to(entry.body, 'UTF8'));
    added := added + 1;
    INSERT INTO action_chain VALUES (sequence, entry.id, hash);
  END LOOP;
END
$$;
