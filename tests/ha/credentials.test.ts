// Who may change what on the three machines of deploy/ha: everybody may ask for the primary, nobody without a password may name
// another or set how PostgreSQL runs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../../scripts/stack/process.ts'
import { atEnd } from '../support/at-end.ts'
import { createCluster, etcdPassword, restPassword } from './cluster.ts'
import { createHosts } from './hosts.ts'

const cluster = await createCluster(createHosts(atEnd), atEnd)
const { primary, standby } = await cluster.whole()

test("Patroni's settings cannot be changed without the password, nor with it from another machine", async () => {
  const url = `http://${primary.address}:8008/config`
  const body = JSON.stringify({ postgresql: { parameters: { archive_command: 'touch /tmp/taken' } } })
  const change = (password: string) =>
    curlOn(primary, ['--request', 'PATCH', '--user', `patroni:${password}`, '--data', body, url])
  assert.equal(await curlOn(primary, ['--request', 'PATCH', '--data', body, url]), '401')
  assert.equal(await change('guess'), '401')
  // This process is on none of the three machines.
  const headers = { authorization: `Basic ${Buffer.from(`patroni:${restPassword}`).toString('base64')}` }
  assert.equal((await fetch(url, { method: 'PATCH', headers, body })).status, 403)
  const settings = async () => JSON.stringify(await (await fetch(url)).json())
  assert.ok(!(await settings()).includes('archive_command'))
  for (const [method, path] of [
    ['POST', 'switchover'],
    ['POST', 'restart'],
    ['POST', 'reinitialize'],
    ['DELETE', 'switchover'],
  ] as const) {
    assert.equal(
      await curlOn(standby, ['--request', method, '--data', '{}', `http://${standby.address}:8008/${path}`]),
      '401',
      path,
    )
  }
  assert.equal(
    await curlOn(primary, ['--request', 'PATCH', '--user', `patroni:${restPassword}`, '--data', '{"ttl":20}', url]),
    '200',
  )
})

test('health checks need no password', async () => {
  for (const method of ['OPTIONS', 'GET']) {
    assert.equal((await fetch(`http://${primary.address}:8008/primary`, { method })).status, 200)
    assert.equal((await fetch(`http://${standby.address}:8008/primary`, { method })).status, 503)
  }
})

test('etcd takes no write, and shows nothing, without a password; Patroni may write its own keys only', async () => {
  const text = (value: string) => Buffer.from(value).toString('base64')
  const etcd = async (path: string, body: unknown, token?: string) => {
    const headers = token === undefined ? {} : { authorization: token }
    const url = `http://${primary.address}:2379/v3/${path}`
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, json: (await response.json()) as { token?: string; error?: string } }
  }
  const leader = { key: text('/service/ringproof/leader') }
  const put = { ...leader, value: text('host9') }
  for (const [path, body] of [
    ['kv/put', put],
    ['kv/range', leader],
    ['kv/deleterange', leader],
    ['auth/disable', {}],
  ] as const) {
    const { status, json } = await etcd(path, body)
    assert.notEqual(status, 200, path)
    assert.match(json.error ?? '', /user name is empty|permission denied/, path)
  }
  const { token } = (await etcd('auth/authenticate', { name: 'patroni', password: etcdPassword })).json
  assert.ok(token)
  assert.equal((await etcd('kv/range', leader, token)).status, 200)
  assert.match((await etcd('kv/put', { key: text('/other'), value: '' }, token)).json.error ?? '', /permission denied/)
  assert.equal((await etcd('auth/authenticate', { name: 'patroni', password: 'guess' })).json.token, undefined)
})

test('patronictl on one of the machines has the password, and moves the primary', async () => {
  await cluster.switchOver(primary, standby)
  assert.equal((await cluster.whole()).primary.name, standby.name)
})

// The status of a request that is sent from a machine.
async function curlOn(
  { launcher }: { readonly launcher: readonly string[] },
  command: readonly string[],
): Promise<string> {
  return run([
    ...launcher,
    'curl',
    '--silent',
    '--max-time',
    '10',
    '--output',
    '/dev/null',
    '--write-out',
    '%{http_code}',
    ...command,
  ])
}
