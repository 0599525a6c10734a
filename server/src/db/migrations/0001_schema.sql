-- A role that may create objects in this schema could shadow what a SECURITY DEFINER function looks up. A database that was
-- upgraded from PostgreSQL 14 or older still lets PUBLIC create here, and its schema may have another owner; then only that
-- owner can revoke the right.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_namespace, aclexplode(nspacl) AS acl
             WHERE nspname = 'public' AND acl.grantee = 0 AND acl.privilege_type = 'CREATE') THEN
    RAISE EXCEPTION 'everybody may create objects in the schema public of this database'
      USING HINT = 'As a superuser in this database: REVOKE CREATE ON SCHEMA public FROM PUBLIC';
  END IF;
END
$$;

-- Rights are granted by rights.sql alone.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- Every version of functions/*.sql and rights.sql that was applied to this database; the newest of a file is in force.
CREATE TABLE repeatable_migrations (
  file text NOT NULL,
  checksum text NOT NULL,
  functions text[] NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (file, checksum)
);
