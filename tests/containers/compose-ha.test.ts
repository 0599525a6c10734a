// Runs as `npm run verify -- compose-ha`, as root: types the section of docs/operations/high-availability.md about one machine in a
// real Docker, and kills containers while calls are accepted. Needs a clean working tree, because images are built from HEAD.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { cacheDirectory } from '../../scripts/image/base.ts'
import { type Docker, startDocker } from '../../scripts/image/docker.ts'
import { repository } from '../../scripts/image/program.ts'
import { poll } from '../support/poll.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { startLoad } from './load.ts'
import { buildStandIns } from './stand-ins.ts'
import { commandsOf, openTerminal, type Terminal } from './typed-page.ts'

const perSecond = 10
const primaryGapMsMax = 25_000
const natsGapMsMax = 12_000
const quietSeconds = 5
const wholeMs = 120_000
const run = promisify(execFile)

const clone = join(fileDirectory(), 'ringproof')
const compose = join(clone, 'deploy/compose')
const base = 'http://127.0.0.1:8080'
const page = readFileSync(join(repository, 'docs/operations/install-compose.md'), 'utf8')
const haPage = readFileSync(join(repository, 'docs/operations/high-availability.md'), 'utf8')
const databases = ['postgres1', 'postgres2', 'postgres3']
const queues = ['nats1', 'nats2', 'nats3']
let docker: Docker
let terminal: Terminal
let key = ''

before(async () => {
  await run('git', ['clone', '--quiet', repository, clone])
  mkdirSync(join(clone, '.cache'))
  symlinkSync(cacheDirectory, join(clone, '.cache/images'))
  await run('npm', ['run', '-s', 'image'], { cwd: repository })
  const standIns = await buildStandIns('patroni', 'etcd', 'nats')
  docker = await startDocker()
  for (const archive of standIns) await docker.inside(['docker', 'load', '--quiet', '--input', archive])
  terminal = openTerminal(docker.shell(clone))
  await terminal.type(commandsOf(page, 'Get the images')[1] ?? '')
})

after(async () => {
  await terminal?.close()
  await docker?.close()
})

test('three of each are healthy, and the single servers do not start', async (t) => {
  await terminal.type(onlyBlock(page, 'Configure'))
  const unlimited = [
    'REQUESTS_PER_SECOND=1000',
    'SERVICE_VERIFICATIONS_HOUR_MAX=none',
    'SERVICE_VERIFICATIONS_DAY_MAX=none',
  ]
  appendFileSync(join(compose, '.env'), unlimited.map((line) => `RINGPROOF_${line}\n`).join(''))
  const startedMs = performance.now()
  const shown = await terminal.type(onlyBlock(haPage, 'Try it on one machine'))
  t.diagnostic(`first up: ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`)
  // The last command is patronictl list.
  for (const name of databases) assert.match(shown, new RegExp(`\\| ${name} .*(running|streaming)`))
  const lines = await docker.inside(['docker', 'compose', 'ps', '--format', '{{.Service}} {{.Health}}'], compose)
  const names = ['api', 'asterisk', 'calls', 'etcd1', 'etcd2', 'etcd3', ...queues, 'node', ...databases, 'worker']
  assert.deepEqual(
    lines.trim().split('\n').toSorted(),
    names.map((name) => `${name} healthy`),
  )
})

test('every container is read-only, without capabilities and new privileges; PostgreSQL is not root', async () => {
  const ids = (await docker.inside(['docker', 'compose', 'ps', '--all', '--quiet'], compose)).trim().split('\n')
  type Inspected = {
    Config: { User: string; Image: string }
    HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[]; SecurityOpt: string[] }
  }
  const containers = JSON.parse(await docker.inside(['docker', 'inspect', ...ids])) as Inspected[]
  assert.equal(containers.length, 17)
  for (const { Config, HostConfig } of containers) {
    assert.equal(HostConfig.ReadonlyRootfs, true, Config.Image)
    assert.deepEqual(HostConfig.CapDrop, ['ALL'], Config.Image)
    assert.deepEqual(HostConfig.SecurityOpt, ['no-new-privileges:true'], Config.Image)
    if (Config.Image.includes('patroni')) assert.equal(Config.User, 'postgres')
  }
})

test('a call is accepted and succeeds, and the queue has three copies on disk', async () => {
  await terminal.type(onlyBlock(page, 'Create the first operator'))
  const shown = await terminal.type(onlyBlock(page, 'Make the first call'))
  const started = JSON.parse(shown.trim().split('\n').at(-1) ?? '') as { status: boolean; vendor_id: number }
  assert.equal(started.status, true)
  const ask = `curl --silent --header "Authorization: Bearer $KEY.$SERVICE_ID" "$BASE_URL/v1.0/getInfo?uid=${started.vendor_id}"`
  await terminal.type(`until ${ask} | grep --quiet '"call_status":1'; do sleep 0.5; done`)
  key = (await terminal.type('printf %s "$KEY.$SERVICE_ID"')).trim()
  const { findings } = JSON.parse(await terminal.type('ringproof doctor --json 2>/dev/null || true')) as {
    findings: { check: string; level: string }[]
  }
  const levels = (name: string) => findings.filter(({ check }) => check === name).map(({ level }) => level)
  assert.deepEqual(levels('nats-replicas'), ['good'])
  assert.deepEqual(levels('nats-sync'), ['good', 'good', 'good'])
})

test('the primary is killed: calls are accepted again within 25 s, and none is lost', async (t) => {
  const { primary, standby } = await whole()
  await survive(t, primary, primaryGapMsMax)
  assert.equal((await whole()).primary, standby, 'the synchronous standby was promoted')
})

test('the NATS server that leads the queue is killed: calls are accepted again within 12 s, and none is lost', async (t) => {
  const leader = await queueLeader()
  await survive(t, leader, natsGapMsMax)
  await docker.inside(['docker', 'compose', 'up', '--detach', '--wait', ...queues], compose)
})

test('a planned switchover keeps all three members', async () => {
  const { primary, standby } = await whole()
  await docker.inside(
    ['docker', 'compose', 'exec', '-T', primary, 'patronictl', 'switchover', '--candidate', standby, '--force'],
    compose,
  )
  assert.equal((await whole()).primary, standby)
})

// Kills a container under load and starts it again after calls are accepted.
async function survive(t: TestContext, service: string, gapMsMax: number): Promise<void> {
  const id = (await docker.inside(['docker', 'compose', 'ps', '--quiet', service], compose)).trim()
  const load = startLoad(docker, base, key, perSecond)
  await sleepInside(quietSeconds)
  await docker.inside(['docker', 'kill', id])
  await sleepInside(quietSeconds)
  const start = `curl --silent --header 'Authorization: Bearer ${key}' --get --data phone=79000000001 ${base}/v1.0/initCall`
  await docker.inside([
    'timeout',
    '60',
    'bash',
    '-c',
    `until ${start} | grep --quiet '"status":true'; do sleep 0.2; done`,
  ])
  await sleepInside(quietSeconds)
  await docker.inside(['docker', 'start', id])
  await sleepInside(quietSeconds)
  const { failures, gapMs, ...counts } = await load.end()
  t.diagnostic(`${service}: ${Math.round(gapMs)} ms without an accepted call; ${JSON.stringify(counts)}`)
  assert.deepEqual(failures.filter((failure) => !/ms: 503 .*"code":5\b/.test(failure)).slice(0, 5), [])
  assert(counts.calls > 2 * quietSeconds * perSecond)
  assert.equal(counts.lost, 0)
  assert(gapMs <= gapMsMax, `${gapMs} ms without an accepted call`)
}

type Roles = { readonly primary: string; readonly standby: string }
type Member = { readonly Member: string; readonly Role: string; readonly State: string }

// Resolves when one is the primary, one its synchronous standby, and all three run.
async function whole(): Promise<Roles> {
  const read = async (): Promise<Roles | undefined> => {
    const command = ['docker', 'compose', 'exec', '-T', 'postgres1', 'patronictl', 'list', '--format', 'json']
    const members = JSON.parse(await docker.inside(command, compose).catch(() => '[]')) as Member[]
    const up = members.filter(({ State }) => State === 'running' || State === 'streaming')
    const named = (role: string) => up.find(({ Role }) => Role === role)?.Member
    const [primary, standby] = [named('Leader'), named('Sync Standby')]
    return primary && standby && up.length === databases.length ? { primary, standby } : undefined
  }
  const options = { timeoutMs: wholeMs, intervalMs: 1_000 }
  return (await poll('three members', read, (roles) => roles !== undefined, options)) as Roles
}

async function queueLeader(): Promise<string> {
  const ask = ['wget', '-q', '-O', '-', 'http://127.0.0.1:8222/jsz?streams=true']
  const text = await docker.inside(['docker', 'compose', 'exec', '-T', 'nats1', ...ask], compose)
  type Stream = { name: string; cluster: { leader: string } }
  const { account_details: accounts } = JSON.parse(text) as { account_details: { stream_detail: Stream[] }[] }
  const queue = accounts.flatMap(({ stream_detail: streams }) => streams).find(({ name }) => name.includes('-calls-'))
  assert(queue)
  return queue.cluster.leader
}

// The load goes on meanwhile.
async function sleepInside(seconds: number): Promise<void> {
  await docker.inside(['sleep', String(seconds)])
}

function onlyBlock(text: string, heading: string): string {
  const [block = '', ...others] = commandsOf(text, heading)
  assert.deepEqual(others, [], `${heading} has one block`)
  return block
}
