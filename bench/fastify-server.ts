// The least that getInfo needs from its platform: Fastify, the same statement over `pg`, one row. No key is checked, nothing
// is decrypted, batched, logged or counted, and the body is a constant as long as ours.

import Fastify from 'fastify'
import { Pool, type QueryConfig } from 'pg'
import type { Session } from '../server/src/db/core/database.ts'
import { readVerifications } from '../server/src/db/verifications/verification.ts'
import { serveJobs } from './child.ts'

export type FastifyOpening = { readonly url: string; readonly body: string }

// As many connections as the role `api` has.
const connections = 10

serveJobs(async ({ url, body }: FastifyOpening) => {
  const statement = await statementOfGetInfo()
  const pool = new Pool({ connectionString: url, max: connections })
  const app = Fastify()
  app.get<{ Querystring: { uid: string } }>('/v1.0/getInfo', async (request, reply) => {
    const { rowCount } = await pool.query({ ...statement, values: [[request.query.uid]] })
    if (rowCount !== 1) return reply.code(404).send({})
    return reply.type('application/json; charset=utf-8').send(body)
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return async (): Promise<number> => Number(new URL(address).port)
})

// Caught on its way to the database, so that it is always the statement of today.
async function statementOfGetInfo(): Promise<QueryConfig> {
  let caught: QueryConfig | undefined
  const query = async (statement: QueryConfig) => {
    caught = statement
    return { rows: [] }
  }
  await readVerifications({ query } as unknown as Session, [])
  if (!caught) throw new Error('getInfo sent no statement')
  return caught
}
