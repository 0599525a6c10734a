// Runs as `npm run compose:test`, as root: builds every image and types docs/operations/install-compose.md word for word, in a
// real Docker. Needs a clean working tree, because images are built from HEAD.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { cacheDirectory } from '../../scripts/image/base.ts'
import { installedImages } from '../../scripts/image/build.ts'
import { type Docker, startDocker } from '../../scripts/image/docker.ts'
import { repository } from '../../scripts/image/program.ts'
import { installImageTools } from '../../scripts/image/tools.ts'
import { carrierScenario } from '../../scripts/stack/carrier/scenario.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { buildStandIns } from './stand-ins.ts'
import { commandsOf, openTerminal, type Terminal } from './typed-page.ts'

const firstCallSecondsMax = 300
const secondUpSecondsMax = 30
const run = promisify(execFile)

const clone = join(fileDirectory(), 'ringproof')
const compose = join(clone, 'deploy/compose')
const page = readFileSync(join(repository, 'docs/operations/install-compose.md'), 'utf8')
const startedMs = performance.now()
let builtMs = startedMs
let docker: Docker
let terminal: Terminal

before(async () => {
  await run('git', ['clone', '--quiet', repository, clone])
  mkdirSync(join(clone, '.cache'))
  symlinkSync(cacheDirectory, join(clone, '.cache/images'))
})

after(async () => {
  await terminal?.close()
  await docker?.close()
})

test('get the images: built here, loaded as the page says', async (t) => {
  const [build = '', load = '', ...others] = commandsOf(page, 'Get the images')
  assert.deepEqual([build.trim(), others], ['npm ci\nnpm run image', []])
  await timed(t, 'images built', () => run('npm', ['run', '-s', 'image'], { cwd: repository }))
  const standIns = await timed(t, 'stand-ins for PostgreSQL, NATS and Prometheus built', () =>
    buildStandIns('postgres', 'nats', 'prometheus'),
  )
  builtMs = performance.now()
  docker = await timed(t, 'Docker started', startDocker)
  terminal = openTerminal(docker.shell(clone))
  await timed(t, 'images loaded', async () => {
    for (const archive of standIns) await docker.inside(['docker', 'load', '--quiet', '--input', archive])
    const shown = await terminal.type(load)
    const loaded = new Set([...shown.matchAll(/^Loaded image: \S+\/(\S+):/gm)].map(([, name]) => name))
    // The demo may be there, too.
    assert.deepEqual(
      installedImages.filter((name) => !loaded.has(name)),
      [],
    )
  })
})

test('without passwords nothing starts, and the message names the one that is missing', async () => {
  await assert.rejects(
    docker.inside(['docker', 'compose', 'up', '--detach'], compose),
    /_PASSWORD.*is empty, see \.env\.example/,
  )
})

test('configure and start: every process is healthy', async (t) => {
  await terminal.type(onlyBlock('Configure'))
  await timed(t, 'first up', () => terminal.type(onlyBlock('Start')))
  const lines = await docker.inside(['docker', 'compose', 'ps', '--format', '{{.Service}} {{.Health}}'], compose)
  assert.deepEqual(lines.trim().split('\n').toSorted(), [
    'api healthy',
    'asterisk healthy',
    'calls healthy',
    'nats healthy',
    'node healthy',
    'postgres healthy',
    'worker healthy',
  ])
})

test('the operator gets a link that works once', async () => {
  assert.match(await terminal.type(onlyBlock('Create the first operator')), /^http:\S+#token=\S+$/m)
})

test('the first call is accepted and succeeds', async (t) => {
  const shown = await terminal.type(onlyBlock('Make the first call'))
  const started = JSON.parse(shown.trim().split('\n').at(-1) ?? '') as { status: boolean; vendor_id: number }
  assert.equal(started.status, true)
  const secondsSince = (ms: number) => (performance.now() - ms) / 1000
  t.diagnostic(`from nothing to an accepted call: ${secondsSince(startedMs).toFixed(0)} s`)
  // Without the builds, whose time is mostly that of downloads.
  assert(secondsSince(builtMs) <= firstCallSecondsMax, `it took ${secondsSince(builtMs)} s`)
  const ask = `curl --silent --header "Authorization: Bearer $KEY.$SERVICE_ID" "$BASE_URL/v1.0/getInfo?uid=${started.vendor_id}"`
  const info = await terminal.type(`until ${ask} | grep --quiet '"call_status":1'; do sleep 0.5; done; ${ask}`)
  assert.match(info, /"call_status":1/)
})

test('first trunk, first numbers, first customer: a phone rings through sipp', async () => {
  const guide = readFileSync(join(repository, 'docs/operations/first-call.md'), 'utf8')
  const [own = '', ...commands] = [...guide.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block)
  // Only the address of the carrier is another than on the page: where sipp listens.
  const gateway = (await terminal.type(onlyBlock('Put TLS in front'))).trim()
  await startSipp(gateway)
  await terminal.type(`${own}\nCARRIER=${gateway}:5070`)
  let shown = ''
  for (const command of commands) {
    shown = await terminal.type(command)
    if (command.includes('add-range')) await untilTrunkIsUp()
  }
  const started = JSON.parse(shown.trim().split('\n').at(-1) ?? '') as {
    status: boolean
    vendor_id: number
    error?: string
  }
  assert.equal(started.status, true, started.error ?? '')
  await untilSucceeded(started.vendor_id)
})

test('the process that drives calls is connected to Asterisk, also after Asterisk was killed', async () => {
  await untilLogged('ARI connected', 1)
  await kill('asterisk')
  await untilLogged('ARI connected', 2)
})

test('every container is read-only, without capabilities and new privileges; ours are not root', async () => {
  const ids = (await docker.inside(['docker', 'compose', 'ps', '--all', '--quiet'], compose)).trim().split('\n')
  type Inspected = {
    Config: { User: string; Image: string }
    HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[]; SecurityOpt: string[]; RestartPolicy: { Name: string } }
  }
  const containers = JSON.parse(await docker.inside(['docker', 'inspect', ...ids])) as Inspected[]
  assert.equal(containers.length, 10)
  for (const { Config, HostConfig } of containers) {
    assert.equal(HostConfig.ReadonlyRootfs, true, Config.Image)
    assert.deepEqual(HostConfig.CapDrop, ['ALL'], Config.Image)
    assert.deepEqual(HostConfig.SecurityOpt, ['no-new-privileges:true'], Config.Image)
    if (Config.Image.includes('ringproof')) assert.equal(Config.User, '65532:65532')
  }
})

test('a second up changes nothing and is fast', async (t) => {
  const created = () => docker.inside(['docker', 'compose', 'ps', '--quiet'], compose)
  const containers = await created()
  const seconds = await secondsOf(() => terminal.type(onlyBlock('Start')))
  t.diagnostic(`second up: ${seconds.toFixed(1)} s`)
  assert.equal(await created(), containers)
  assert(seconds <= secondUpSecondsMax, `it took ${seconds} s`)
})

test('with edge.yaml the same phone rings over the edge, also after the edge was killed', async (t) => {
  const edgePage = readFileSync(join(repository, 'docs/operations/signalling-edge.md'), 'utf8')
  const [commands = '', ...others] = commandsOf(edgePage, 'With Docker Compose')
  assert.deepEqual(others, [])
  await timed(t, 'containers created again', () => terminal.type(commands))
  const gateway = (await terminal.type(onlyBlock('Put TLS in front'))).trim()
  const received = await startSipp(gateway)
  await terminal.type(`ringproof trunks set carrier --address ${gateway}:5070`)
  await untilTrunkIsUp()
  await untilLogged('edge connected', 1)
  const { findings } = JSON.parse(
    await terminal.type('docker compose run --rm -T cli doctor --json </dev/null 2>/dev/null || true'),
  ) as {
    findings: { check: string; level: string }[]
  }
  assert.deepEqual(
    findings.filter(({ check }) => /^edge(-address)?$/.test(check)).map(({ level }) => level),
    ['good', 'good'],
  )
  await ring('79070001180')
  await kill('edge')
  await untilLogged('edge restarted', 1)
  await ring('79070002180')
  const invites = [...readFileSync(received, 'utf8').matchAll(/^INVITE sip:(\d+)@.*\r?\nVia: SIP\/2\.0\/UDP (\S+?);/gm)]
  assert.deepEqual(
    new Set(invites.map(([, phone, via]) => `${phone} from ${via}`)),
    new Set(['79070001180 from 10.213.57.10:5080', '79070002180 from 10.213.57.10:5080']),
  )
})

test('Prometheus scrapes every process and evaluates the alerts', async () => {
  const watch = onlyBlock('Watch it').trim()
  assert.equal(watch, 'docker compose --profile observability up -d --wait')
  // Only Prometheus: Debian has no Grafana to build a stand-in from.
  await terminal.type(`${watch} prometheus`)
  const query = 'http://127.0.0.1:9090/api/v1/query?query=sum(up)'
  await terminal.type(`until curl --silent '${query}' | grep --quiet '"3"'; do sleep 1; done`)
  await terminal.type(`curl --silent 'http://127.0.0.1:9090/api/v1/rules' | grep --quiet '"TrunkDown"'`)
})

test('the address for RINGPROOF_TRUSTED_PROXIES is printed; the database and the keys are backed up', async () => {
  assert.match(await terminal.type(onlyBlock('Put TLS in front')), /^\d+\.\d+\.\d+\.\d+$/m)
  await terminal.type(onlyBlock('Back up'))
  assert.match(await terminal.type('ls secrets-backup; head -c 5 ringproof.dump'), /phone-tenant-1\.key[^]*PGDMP/)
})

test('stopped and started again: everything is healthy, and an old call can be read', async (t) => {
  const [stop = ''] = commandsOf(page, 'Stop')
  await timed(t, 'stop', () => terminal.type(stop))
  await timed(t, 'start', startAgain)
  await assertCallIsReadable()
})

test('restored in the wrong order: setup names the missing keys, makes none, and no process starts', async () => {
  await terminal.type('docker compose down --volumes')
  const [first = '', second = ''] = onlyBlock('Restore').split('\n')
  await terminal.type(`${first}\n${second}`)
  const said = await terminal.type('docker compose up -d --wait 2>&1 || docker compose logs setup')
  assert.match(
    said,
    /The keys in \S+ are not those of the database postgres\/ringproof: phone-slot-1\.key is missing, /,
  )
  const running = await terminal.type(`docker compose ps --services | sort | tr '\\n' ' '`)
  assert.match(running, /nats/)
  for (const service of ['api', 'worker', 'calls']) assert.doesNotMatch(running, new RegExp(service))
})

test('restored by the page after everything was deleted: the old call can be read, and the next one is accepted', async (t) => {
  await terminal.type('docker compose down --volumes')
  await timed(t, 'restore', () => terminal.type(onlyBlock('Restore')))
  assert.match(await terminal.type('ringproof ledger audit'), /No discrepancies/)
  await assertCallIsReadable()
  const start = `curl --silent --header "Authorization: Bearer $KEY.$SERVICE_ID" --get --data phone=79000000001 "$BASE_URL/v1.0/initCall"`
  assert.match(await terminal.type(start), /"status":true/)
  const [stop = '', down = ''] = commandsOf(page, 'Stop')
  await terminal.type(stop)
  await startAgain()
  await assertCallIsReadable()
  await timed(t, 'down', () => terminal.type(down))
})

async function startAgain(): Promise<void> {
  const health = `docker compose ps --format '{{.Health}}'`
  await terminal.type(
    `docker compose start\nuntil ! ${health} | grep --quiet --invert-match '^healthy$'; do sleep 1; done`,
  )
}

// Its number is sealed: only the keys of the time of the call show it.
async function assertCallIsReadable(): Promise<void> {
  assert.match(await terminal.type('ringproof verifications list --limit 1'), /79\S*01/)
}

async function untilSucceeded(uid: number): Promise<void> {
  const ask = `curl --silent --header "Authorization: Bearer $KEY.$SERVICE_ID" "$BASE_URL/v1.0/getInfo?uid=${uid}"`
  const info = await terminal.type(
    `for n in $(seq 120); do ${ask} | grep --invert-match --quiet '"call_status":-1' && break; sleep 0.5; done; ${ask}`,
  )
  assert.match(info, /"call_status":1/)
}

async function ring(phone: string): Promise<void> {
  const start = `curl --silent --header "Authorization: Bearer $KEY.$SERVICE_ID" --get --data phone=${phone} "$BASE_URL/v1.0/initCall"`
  const response = (await terminal.type(start)).trim().split('\n').at(-1) ?? ''
  const started = JSON.parse(response) as { status: boolean; vendor_id: number }
  assert.equal(started.status, true, response)
  await untilSucceeded(started.vendor_id)
}

async function kill(service: string): Promise<void> {
  const id = (await docker.inside(['docker', 'compose', 'ps', '--quiet', service], compose)).trim()
  const pid = await docker.inside(['docker', 'inspect', '--format', '{{.State.Pid}}', id])
  await docker.inside(['kill', '-KILL', pid.trim()])
}

// The carrier, in the network of the machine. Returns the file with what it receives and sends.
async function startSipp(address: string): Promise<string> {
  await installImageTools([['sip-tester', ['sh', '-c', 'command -v sipp']]])
  const scenario = join(clone, 'carrier.xml')
  writeFileSync(scenario, carrierScenario())
  const shell = docker.shell(clone)
  const messages = join(clone, `carrier-${address}.log`)
  const traced = `-trace_msg -message_file ${messages}`
  shell.stdin?.write(`exec sipp -sf ${scenario} -i ${address} -p 5070 -nostdin -f 100000 ${traced} >/dev/null 2>&1\n`)
  return messages
}

// At most a minute; then the list says why it is not.
async function untilTrunkIsUp(): Promise<void> {
  const list = 'ringproof trunks list --json'
  const trunks = await terminal.type(
    `for n in $(seq 60); do ${list} | grep --quiet '"up":true' && break; sleep 0.5; done; ${list}`,
  )
  assert.match(trunks, /"up":true/)
}

async function untilLogged(message: string, times: number): Promise<void> {
  const count = `docker compose logs calls | grep --count '${message}'`
  const script = `until [ "$(${count})" -ge ${times} ]; do sleep 0.5; done`
  await docker.inside(['timeout', '60', 'bash', '-c', script], compose)
}

function onlyBlock(heading: string): string {
  const [block = '', ...others] = commandsOf(page, heading)
  assert.deepEqual(others, [], `${heading} has one block`)
  return block
}

async function timed<T>(t: TestContext, what: string, work: () => Promise<T>): Promise<T> {
  let result: T | undefined
  const seconds = await secondsOf(async () => {
    result = await work()
  })
  t.diagnostic(`${what}: ${seconds.toFixed(1)} s`)
  return result as T
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await work()
  return (performance.now() - beganMs) / 1000
}
