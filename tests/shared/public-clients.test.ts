// Public clients of this API, unmodified, from ../shared/clients: each runs every method that it implements against a service
// created with --compatible-with ucaller, and reads every field that its models declare.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installPackage } from '../../scripts/stack/debian.ts'
import { compatibilities, noCaps } from '../../server/src/domain/accounts/service.ts'
import { createReceiverToTheEnd } from '../support/http/webhook-receiver.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const execute = promisify(execFile)
const clients = fileURLToPath(new URL('../../../shared/clients/', import.meta.url))
const sessions = fileURLToPath(new URL('clients/', import.meta.url))

const installation = await installPhones(0.3)
const { base } = await serve(installation)
const receiver = await createReceiverToTheEnd()

type Read = Readonly<Record<string, Readonly<Record<string, unknown>>>>

// A new compatible service, and what the program printed.
async function run(command: readonly string[], client: string, more: Record<string, string> = {}): Promise<Read> {
  const service = await makeService(installation, 100, { ...noCaps, ...compatibilities.ucaller })
  const [program = '', ...args] = command
  const { stdout } = await execute(program, args, {
    env: {
      ...process.env,
      BASE: base,
      KEY: service.key,
      SERVICE_ID: String(service.serviceId),
      PHONE: freshNumber('180'),
      HOOK: `${receiver.url}/hook`,
      CLIENT: join(clients, client),
      ...more,
    },
  })
  return JSON.parse(stdout) as Read
}

test('pyucallerapi reads every response of every method', async () => {
  for (const name of ['python3-requests', 'python3-pydantic']) await installPackage(name)
  const read = await run(['/usr/bin/python3', join(sessions, 'session.py')], 'kebrick+pyucallerapi')
  assert.deepEqual(read['health'], { status: true, database: true, providers: true })
  assert.equal(read['balance']?.['rub_balance'], 100)
  assert.equal(read['checked']?.['phone'], 79000000001)
  assert.match(String(read['unchecked']?.['error']), /No operator/)
  const { started, info, repeated, refused, waiting } = read
  assert.deepEqual([started?.['code'], started?.['client'], started?.['exists']], ['0417', 'user-17', false])
  assert.deepEqual([info?.['ucaller_id'], info?.['call_status']], [started?.['ucaller_id'], 1])
  assert.deepEqual([info?.['repeatable'], info?.['repeat_times']], [true, 2])
  assert.deepEqual([repeated?.['status'], repeated?.['code']], [true, '0417'])
  assert.deepEqual([refused?.['status'], refused?.['code']], [false, 10])
  assert.match(String(waiting?.['confirmation_number']), /^7\d{10}$/)
})

test('the Go client reads every response of every method but its own broken GetInfo', async () => {
  await installPackage('golang-github-google-uuid-dev')
  const path = fileDirectory()
  const own = join(path, 'src/github.com/AleksandrMac')
  mkdirSync(own, { recursive: true })
  cpSync(join(clients, 'AleksandrMac+ucaller'), join(own, 'ucaller'), { recursive: true })
  mkdirSync(join(path, 'src/session'))
  copyFileSync(join(sessions, 'session.go'), join(path, 'src/session/main.go'))
  const environment = { GO111MODULE: 'off', GOPATH: `${path}:/usr/share/gocode`, GOFLAGS: '', HOME: path }
  const read = await run(['go', 'run', 'session'], 'AleksandrMac+ucaller', environment)
  const { started, repeated } = read
  assert.deepEqual([started?.['status'], started?.['code'], started?.['client']], [true, '0042', 'Ivan'])
  assert(Number(started?.['ucaller_id']) > 0)
  assert.equal(read['service']?.['name'], 'Shop')
  assert.equal(read['balance']?.['tariff'], 'uni')
  assert.deepEqual([repeated?.['free_repeated'], repeated?.['code']], [true, '0042'])
  assert.match(JSON.stringify(read['refused']), /phone/i)
})

test('the Yii handler reads a call and a refusal', async () => {
  const handler = 'skeeks-cms+cms-ucaller-callcheck-handler/src/UcallerCallcheckHandler.php'
  const { called, refused } = await run(['php', join(sessions, 'session.php')], handler)
  assert.equal(called?.['status'], 'ok')
  assert.match(String(called?.['code']), /^\d{4}$/)
  assert.match(String(called?.['provider_call_id']), /^[0-9a-f]{32}$/)
  assert.equal(refused?.['status'], 'error')
  assert.match(String(refused?.['error_message']), /7 to 15 digits/)
})
