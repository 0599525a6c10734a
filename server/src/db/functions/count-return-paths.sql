-- Adds what a node has counted. Returns the trunks whose carrier has now confirmed so many calls that unconfirmed ones do not
-- count from here on.
CREATE OR REPLACE FUNCTION count_return_paths(counts jsonb, confirmed_to_enforce bigint) RETURNS SETOF text
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  INSERT INTO trunk_return_paths AS path (trunk, confirmed, unconfirmed)
  SELECT counted.trunk, counted.confirmed, counted.unconfirmed
  FROM jsonb_to_recordset(counts) AS counted(trunk text, confirmed bigint, unconfirmed bigint)
  WHERE counted.trunk IN (SELECT name FROM trunks)
  ORDER BY counted.trunk
  ON CONFLICT (trunk) DO UPDATE
  SET (confirmed, unconfirmed) = ROW (path.confirmed + excluded.confirmed, path.unconfirmed + excluded.unconfirmed);

  UPDATE trunks SET return_path = 'enforce'
  FROM trunk_return_paths AS path
  WHERE path.trunk = name AND return_path = 'record' AND path.confirmed >= confirmed_to_enforce
  RETURNING name;
$$;
