// The logins of deploy/compose/create-roles.sql, as compose, the chart and the Debian units use them: what runs as one process cannot
// become another, the command line or the owner.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { postgresProgram } from '../../scripts/stack/parts/postgres.ts'
import {
  databaseRoles,
  groupOf,
  loginOfCli,
  type ProcessRole,
  processRoles,
} from '../../server/src/domain/core/database-role.ts'
import { makeMissingSecrets } from '../../server/src/process/secrets.ts'
import { createPorts, createPostgres } from '../crash/servers.ts'
import { atEnd } from '../support/at-end.ts'
import { ringproof, start } from '../support/process/cli.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const rolesFile = join(import.meta.dirname, '../../deploy/compose/create-roles.sql')
const directory = fileDirectory()
chmodSync(directory, 0o755)
const freePort = createPorts()
const postgres = await createPostgres({ directory, logDirectory: directory, freePort })
postgres.start()
atEnd(() => postgres.close())
await postgres.ready()
makeMissingSecrets(`${directory}/secrets`, randomBytes)

const variables = [...readFileSync(rolesFile, 'utf8').matchAll(/^\\getenv \w+ (\w+)$/gm)].map(([, name = '']) => name)
execFileSync(
  await postgresProgram('psql'),
  ['--quiet', '--set=ON_ERROR_STOP=1', `--file=${rolesFile}`, postgres.url('postgres', 'postgres')],
  { env: Object.fromEntries(variables.map((name) => [name, postgres.password])) },
)
const settingsOf = (login: string) => ({
  RINGPROOF_DATABASE_URL: postgres.url(login as 'ringproof_app', 'ringproof'),
  RINGPROOF_SECRETS_DIR: `${directory}/secrets`,
  RINGPROOF_METRICS_PORT: '',
})
const migrated = await ringproof(
  { ...settingsOf(loginOfCli), RINGPROOF_DATABASE_OWNER_URL: postgres.url('ringproof_owner', 'ringproof') },
  'migrate',
)
assert.equal(migrated.status, 0, migrated.err)
assert.doesNotMatch(migrated.out, /GRANT/)

const logins: Readonly<Record<string, readonly ProcessRole[]>> = {
  ringproof_app: processRoles,
  ringproof_api_web_login: ['api', 'web'],
  ringproof_webhooks_keeper_login: ['webhooks', 'keeper'],
  ringproof_calls_keeper_login: ['calls', 'keeper'],
  ringproof_calls_login: ['calls'],
  ringproof_webhooks_login: ['webhooks'],
  ringproof_keeper_login: ['keeper'],
}

for (const [login, own] of [...Object.entries(logins), [loginOfCli, ['operator']] as const]) {
  test(`${login} can become the groups of its roles and no other`, async () => {
    const client = new Client({ connectionString: postgres.url(login as 'ringproof_app', 'ringproof') })
    await client.connect()
    try {
      for (const role of databaseRoles) {
        const becoming = client.query(`SET ROLE ${groupOf(role)}`)
        if ((own as readonly string[]).includes(role)) await becoming
        else await assert.rejects(becoming, { code: '42501' }, `${login} became ${groupOf(role)}`)
        await client.query('RESET ROLE')
      }
      for (const other of ['ringproof_owner', 'postgres', ...Object.keys(logins), loginOfCli]) {
        if (other !== login) await assert.rejects(client.query(`SET ROLE ${other}`), { code: '42501' }, other)
      }
      await assert.rejects(client.query("SELECT record_payment(1, true, 1, 'a', 'b', 'c', '', '')"), { code: '42501' })
      if (login !== 'ringproof_api_web_login' && login !== 'ringproof_app' && login !== loginOfCli) {
        await assert.rejects(client.query("SELECT move_money(1, true, 1, 'a', 'b', 'c', '', '')"), { code: '42501' })
      }
    } finally {
      await client.end()
    }
  })
}

for (const [login, own] of Object.entries(logins)) {
  test(`a process with the roles ${own.join(',')} runs as ${login}, and commands do not`, async () => {
    const environment = { ...settingsOf(login), RINGPROOF_HTTP_PORT: String(await freePort()) }
    const running = start(environment, 'serve', '--roles', own.join(','))
    await running.says('"msg":"ready"')
    const listed = await ringproof(environment, 'accounts', 'list')
    assert.match(listed.err, /not a member of ringproof_operator/)
    running.process.kill('SIGTERM')
    const { status, out } = await running.ended
    assert.equal(status, 0)
    assert.doesNotMatch(out, /permission denied/)
  })
}

test('the command line runs as ringproof_cli, which no process can use', async () => {
  const credit = ['accounts', 'create', '--email', 'a@example.org', '--balance', '100']
  assert.equal((await ringproof(settingsOf(loginOfCli), ...credit)).err, '')
  const served = await ringproof(settingsOf(loginOfCli), 'serve')
  assert.match(served.err, /not a member of ringproof_/)
})
