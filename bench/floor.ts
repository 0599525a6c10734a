// What the bare engine needs for the rows of a verification: prepared statements with kept plans over plain tables, without a rule, a
// partition or a check. An accept writes a call, its number and its account, an end the call, a ledger entry and the account. A claim
// and a ring change the call alone; the floor of a whole verification does without them.

import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'

/** One statement for each step, of so many calls. A claim, a ring and an end are those of the calls accepted as `batch`. */
export async function createFloor(session: Client) {
  await session.query(`
    SET jit = off;
    SET plan_cache_mode = force_generic_plan;
    SET enable_seqscan = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    CREATE TABLE floor_calls (id bigint PRIMARY KEY, state smallint NOT NULL, body bytea NOT NULL, outcome bytea) WITH (fillfactor = 60);
    CREATE TABLE floor_accounts (id integer PRIMARY KEY, balance bigint, held bigint) WITH (fillfactor = 20);
    CREATE TABLE floor_numbers (hash bytea PRIMARY KEY, at timestamptz, lease bigint) WITH (fillfactor = 50);
    CREATE TABLE floor_ledger (id bigint PRIMARY KEY, account integer, amount bigint);
    INSERT INTO floor_accounts VALUES (1, 1000000000, 0);
  `)
  let made = 0
  const move = (state: number) => (ids: readonly number[]) =>
    session.query({
      name: `floor-${state}`,
      text: `UPDATE floor_calls SET state = ${state} WHERE id = ANY ($1::bigint[])`,
      values: [ids],
    })
  return {
    accept: async (size: number) => {
      const ids = Array.from({ length: size }, () => made++)
      await session.query({
        name: 'floor-accept',
        text: `WITH called AS (
            INSERT INTO floor_calls SELECT id, 1, body FROM unnest($1::bigint[], $2::bytea[]) AS call(id, body)
          ), numbered AS (
            INSERT INTO floor_numbers SELECT hash, now(), 1 FROM unnest($3::bytea[]) AS hash
            ON CONFLICT (hash) DO UPDATE SET at = excluded.at
          )
          UPDATE floor_accounts SET balance = balance - $4, held = held + $4 WHERE id = 1`,
        values: [ids, ids.map(() => randomBytes(250)), ids.map(() => randomBytes(32)), size],
      })
      return ids
    },
    claim: move(2),
    rang: move(3),
    end: (ids: readonly number[]) =>
      session.query({
        name: 'floor-end',
        text: `WITH ended AS (
            UPDATE floor_calls SET state = 4, outcome = $2 WHERE id = ANY ($1::bigint[]) RETURNING id
          ), written AS (
            INSERT INTO floor_ledger SELECT id, 1, 1 FROM ended
          )
          UPDATE floor_accounts SET held = held - $3 WHERE id = 1`,
        values: [ids, randomBytes(30), ids.length],
      }),
  }
}
