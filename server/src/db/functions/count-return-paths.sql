-- Adds what a node has counted, and names the trunks whose carrier has now confirmed so many calls that the others count for
-- nothing from here on.
CREATE OR REPLACE FUNCTION count_return_paths(counts jsonb, confirmed_to_enforce bigint) RETURNS SETOF text
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
  INSERT INTO trunk_return_paths AS t (trunk, confirmed, unconfirmed)
  SELECT c.trunk, c.confirmed, c.unconfirmed
  FROM jsonb_to_recordset(counts) AS c(trunk text, confirmed bigint, unconfirmed bigint)
  WHERE c.trunk IN (SELECT name FROM trunks)
  ORDER BY c.trunk
  ON CONFLICT (trunk) DO UPDATE
  SET (confirmed, unconfirmed) = ROW (t.confirmed + excluded.confirmed, t.unconfirmed + excluded.unconfirmed);

  UPDATE trunks SET return_path = 'enforce'
  FROM trunk_return_paths t
  WHERE t.trunk = name AND return_path = 'record' AND t.confirmed >= confirmed_to_enforce
  RETURNING name;
$$;
