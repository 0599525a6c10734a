// A PostgreSQL for one test, where the stack's cannot be used: its clock is moved, or its disk is full. It is migrated
// and has the settings of the stack.

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { migrate } from '../../../server/src/db/core/migrate.ts'
import { databaseRoles, groupOf } from '../../../server/src/domain/core/database-role.ts'
import { createPorts, createPostgres, type Postgres } from '../../crash/servers.ts'
import { atEnd } from '../at-end.ts'
import type { TestDatabase } from './test-database.ts'

export type PrivatePostgres = TestDatabase & { readonly server: Postgres; readonly superuserUrl: string }

// The launcher, such as env, may preload a library that fakes the time.
export async function createPrivatePostgres(
  launcher: readonly string[] = [],
  directory: string = ownDirectory(),
): Promise<PrivatePostgres> {
  const logDirectory = ownDirectory()
  const server = await createPostgres({ directory, logDirectory, freePort: createPorts() }, launcher)
  atEnd(async () => server.kill())
  server.start()
  await server.ready()
  const name = `own_${randomBytes(4).toString('hex')}`
  const superuserUrl = server.url('postgres', 'postgres')
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  for (const role of ['ringproof_owner', 'ringproof_app']) {
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD '${server.password}'`)
  }
  for (const role of databaseRoles) await client.query(`CREATE ROLE ${groupOf(role)} ROLE ringproof_app`)
  await client.query(`CREATE DATABASE ${name} OWNER ringproof_owner`)
  await client.end()
  const ownerUrl = server.url('ringproof_owner', name)
  await migrate(ownerUrl, { waiting: () => undefined, done: () => undefined })
  return { server, superuserUrl, ownerUrl, url: server.url('ringproof_app', name) }
}

function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ringproof-postgres-'))
  // PostgreSQL does not run as root.
  chmodSync(directory, 0o755)
  atEnd(async () => rmSync(directory, { recursive: true }))
  return directory
}
