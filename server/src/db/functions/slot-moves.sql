-- A slot moves to another database while it serves (docs/adr/0038). For that time its tables have triggers, which note what
-- changes and refuse changes where the slot does not live, and policies, which hide its rows there. `ringproof slots move`
-- creates and drops both; its own sessions name the slot in ringproof.moving_slot and are exempt.
--
-- The lock comes before the look at the state: a session that holds it exclusively knows that no change is in flight, and that the next
-- one sees what it has committed. 1380533060 is 'RING' + 1. Arguments of the trigger: the slot, the table (a partition has another
-- name), and the columns of its key.
CREATE OR REPLACE FUNCTION note_slot_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  moving CONSTANT smallint := TG_ARGV[0];
  image jsonb;
  move slot_moves;
BEGIN
  IF current_setting('ringproof.moving_slot', true) IS DISTINCT FROM TG_ARGV[0] THEN
    PERFORM pg_advisory_xact_lock_shared(1380533060, moving);
    SELECT * INTO move FROM slot_moves WHERE slot = moving;
    IF move.state IN ('moved', 'arriving') OR move.state = 'frozen' AND clock_timestamp() < move.frozen_until THEN
      RAISE EXCEPTION 'slot % is moving to another database', moving USING ERRCODE = 'RING5', DETAIL = moving;
    END IF;
    IF move.state IN ('copying', 'frozen') THEN
      image := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
      INSERT INTO slot_changes (slot, table_name, key)
      SELECT moving, TG_ARGV[1], jsonb_agg(image ->> TG_ARGV[place] ORDER BY place)
      FROM generate_series(2, TG_NARGS - 1) AS place;
    END IF;
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;

-- Whether rows of a slot may be seen in this database.
CREATE OR REPLACE FUNCTION is_slot_here(p_slot integer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  SELECT current_setting('ringproof.moving_slot', true) IS NOT DISTINCT FROM p_slot::text
    OR NOT EXISTS (SELECT FROM slot_moves WHERE slot = p_slot AND (state = 'arriving' OR is_hidden))
$$;
