// What a newcomer meets in the first minutes: output for scripts, the addresses at the start, and a port that is taken.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort } from '../../scripts/stack/ports.ts'
import { startMessage } from '../../server/src/process/start-message.ts'
import { ask } from '../support/http/ask.ts'
import { ringproof, start } from '../support/process/cli.ts'
import { install, serveProcess } from '../support/process/server.ts'

const installation = await install()

test('accounts create --quiet and services create --env print what a shell reads', async () => {
  const { base } = await serveProcess(installation)
  const environment = { ...installation.environment, RINGPROOF_PUBLIC_URL: base }
  const account = await ringproof(environment, 'accounts', 'create', '--email', 'shell@example.org', '--quiet')
  assert.match(account.out, /^\d+\n$/)
  const args = ['--account', account.out.trim(), '--name', "The owner's shop", '--env']
  const { out } = await ringproof(environment, 'services', 'create', ...args)
  const script = `${out}printf '%s\\n' "$BASE_URL" "$KEY" "$SERVICE_ID" "$WEBHOOK_SECRET"; env | grep -c ^KEY=`
  const read = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  const [url, key, serviceId, secret, exported] = read.split('\n')
  assert.deepEqual([url, exported], [base, '1'])
  assert.match(secret ?? '', /^whsec_/)
  const { status } = await ask(`${url}/v1.0/getBalance`, { headers: { authorization: `Bearer ${key}.${serviceId}` } })
  assert.equal(status, 200)
})

test('a service needs no account to be named where there is one; otherwise the command says why', async () => {
  const fresh = await install()
  const create = () => ringproof(fresh.environment, 'services', 'create', '--name', 'Shop', '--json')
  const open = (email: string) => ringproof(fresh.environment, 'accounts', 'create', '--email', email, '--quiet')
  assert.match((await create()).err, /There is no account/)
  const account = Number((await open('one@example.org')).out)
  const { service_id: serviceId } = JSON.parse((await create()).out) as { service_id: number }
  assert.equal(serviceId % 64, account % 64)
  await open('two@example.org')
  assert.match((await create()).err, /more than one account/)
})

for (const setting of ['RINGPROOF_HTTP_PORT', 'RINGPROOF_HTTP_ALT_PORT', 'RINGPROOF_METRICS_PORT']) {
  test(`a taken port is named with its setting: ${setting}`, async (t) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    t.after(() => other.close())
    const address = other.address()
    assert(address !== null && typeof address === 'object')
    const ports = {
      RINGPROOF_HTTP_ALT_PORT: String(await freePort()),
      RINGPROOF_HTTP_PORT: String(await freePort()),
      RINGPROOF_METRICS_PORT: String(await freePort()),
      [setting]: String(address.port),
    }
    const { status, err } = await start({ ...installation.environment, ...ports }, 'serve').ended
    assert.equal(status, 1)
    assert.equal(
      err,
      `Port ${address.port} of 127.0.0.1 is in use by another program. Stop it, or set ${setting} to another port.\n`,
    )
  })
}

test('the start is announced on a terminal only; standard output has JSON lines and nothing else', async () => {
  const { output } = await serveProcess(installation)
  for (const line of output().trim().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line)
})

test('the announcement has the addresses of what this process serves', () => {
  const config = {
    publicUrl: 'https://ringproof.example',
    httpHost: '127.0.0.1',
    httpAltPort: undefined,
    metricsHost: '::1',
    metricsPort: 9464,
    switch: 'fake',
  } as const
  const whole = startMessage(config, ['api', 'calls'], '1.2.3')
  assert.match(whole, /^Ringproof 1\.2\.3 is ready/m)
  assert.match(whole, /^ {2}API {6}https:\/\/ringproof\.example\/v1\.0$/m)
  assert.match(whole, /^ {2}Docs {5}https:\/\/ringproof\.example\/docs$/m)
  assert.match(whole, /^ {2}Metrics {2}http:\/\/\[::1\]:9464\/metrics$/m)
  assert.match(whole, /^ {2}Phones {3}simulated: no real phone rings/m)
  assert.doesNotMatch(startMessage(config, ['webhooks'], '1.2.3'), /API|Docs|Phones/)
})
