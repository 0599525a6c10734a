// A clock that a test sets, for the functions of one test database. They name clock_timestamp() without a schema, so a search
// path with another function of that name before pg_catalog is enough; no text of a function changes. Time stands still
// between two settings, so what the database computes from it can be compared to the millisecond.

import type { Database } from '../../../server/src/db/core/database.ts'

export async function replaceClock(database: Database): Promise<void> {
  const client = await database.connect()
  await client.query(`
    CREATE SCHEMA model_clock;
    CREATE TABLE model_clock.moment (at timestamptz NOT NULL) WITH (fillfactor = 10);
    INSERT INTO model_clock.moment SELECT pg_catalog.clock_timestamp();
    CREATE FUNCTION model_clock.clock_timestamp() RETURNS timestamptz
      LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN (SELECT at FROM model_clock.moment); END';
    -- Rows of days that have no partition.
    CREATE TABLE verifications_model PARTITION OF verifications DEFAULT;
    CREATE TABLE ladders_model PARTITION OF ladders DEFAULT;
    CREATE TABLE ledger_model PARTITION OF ledger DEFAULT;
    CREATE TABLE idempotency_keys_model PARTITION OF idempotency_keys DEFAULT;
    DO $$
    DECLARE
      one record;
    BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = model_clock, pg_catalog, public', current_database());
      -- For speed: nothing here must survive a crash, and no query is worth compiling.
      EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database());
      EXECUTE format('ALTER DATABASE %I SET jit = off', current_database());
      FOR one IN SELECT p.oid::regprocedure AS name FROM pg_proc AS p
        WHERE p.pronamespace = 'public'::regnamespace AND p.prosrc LIKE '%clock_timestamp()%'
      LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = model_clock, pg_catalog, public, pg_temp', one.name);
      END LOOP;
      FOR one IN SELECT d.adrelid::regclass AS relation, a.attname AS name
        FROM pg_attrdef AS d JOIN pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
        WHERE pg_get_expr(d.adbin, d.adrelid) LIKE '%clock_timestamp()%'
      LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT model_clock.clock_timestamp()', one.relation, one.name);
      END LOOP;
    END
    $$`)
  // Settings of a database are for new connections.
  client.release(true)
}

// As housekeeping does every few minutes, it also notes that the database is at work; else IDs refuse a clock that jumped.
export async function setClock(database: Database, nowMs: number): Promise<void> {
  await database.query(
    `WITH moved AS (UPDATE model_clock.moment SET at = 'epoch'::timestamptz + $1 * interval '1 millisecond' RETURNING at)
     UPDATE clock_mark SET second = floor(extract(epoch FROM moved.at))::bigint - id_epoch() FROM moved`,
    [nowMs],
  )
}
