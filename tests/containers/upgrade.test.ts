// Runs as `npm run upgrade:test`, as root: the previous image under load in a real Docker, upgraded by the commands of
// docs/operations/upgrade.md behind a real Caddy. Needs a clean working tree, because images are built from HEAD.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { cacheDirectory } from '../../scripts/image/base.ts'
import { type Docker, startDocker } from '../../scripts/image/docker.ts'
import { repository } from '../../scripts/image/program.ts'
import { caddyProgram } from '../support/http/caddy.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { startLoad } from './load.ts'
import { buildStandIns } from './stand-ins.ts'

const perSecond = 50
const run = promisify(execFile)
const clone = join(fileDirectory(), 'ringproof')
const compose = join(clone, 'deploy/compose')
const services = ['api', 'api-second', 'worker', 'calls', 'calls-second']
let docker: Docker

before(async () => {
  await run('git', ['clone', '--quiet', repository, clone])
  // Hard links: a link to the directory would count as a change of the tree.
  await run('cp', ['--archive', '--link', join(repository, 'node_modules'), join(clone, 'node_modules')])
  mkdirSync(join(clone, '.cache'))
  symlinkSync(cacheDirectory, join(clone, '.cache/images'))
  docker = await startDocker()
  for (const archive of await buildStandIns('postgres', 'nats'))
    await docker.inside(['docker', 'load', '--quiet', '--input', archive])
})

after(() => docker?.close())

test(`the previous image is upgraded at ${perSecond} requests per second: none fails, no call is lost`, async (t) => {
  const { stdout } = await run('git', ['log', '-1', '--format=%H^', '--', 'server/src/db/migrations'], { cwd: clone })
  await buildAndTag(stdout.trim(), 'previous')
  await buildAndTag((await run('git', ['rev-parse', 'HEAD'], { cwd: repository })).stdout.trim(), 'next')
  writeSettings('previous')
  await up(...services)
  const applied = await migrationsApplied()

  const proxy = await startCaddy()
  const key = await createTestService()
  const load = startLoad(docker, proxy.base, key, perSecond)
  const beganMs = performance.now()
  const mark = (what: string) => t.diagnostic(`${((performance.now() - beganMs) / 1_000).toFixed(0)} s: ${what}`)
  await sleepInside(10)
  writeSettings('next')
  const page = readFileSync(join(clone, 'docs/operations/upgrade.md'), 'utf8')
  const [, commands = ''] = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block)
  // Without Asterisk: `up` names the services. Nodes are replaced one by one, as on two machines.
  const [migrate = '', setup = '', apis = ''] = commands.trim().split('\n')
  assert.match(commands, /^docker compose up -d --wait$/m)
  mark('migrate')
  await typed(migrate)
  mark('migrated')
  assert((await migrationsApplied()) > applied, 'the new version has a migration')
  await typed(setup)
  await sleepInside(5)
  mark('replace both processes of the API')
  await typed(apis)
  for (const service of ['calls', 'calls-second', 'worker']) {
    mark(`replace ${service}`)
    await typed(`docker compose up -d --wait --no-deps ${service}`)
  }
  await sleepInside(10)
  const { requests, failures, calls, verified } = await load.end()
  await proxy.close()

  const images = await docker.inside(['docker', 'compose', 'ps', '--format', '{{.Service}} {{.Image}}'], compose)
  for (const service of services) assert.match(images, new RegExp(`^${service} \\S+:next$`, 'm'))
  t.diagnostic(`${requests} requests, ${failures.length} failed; ${calls} calls, ${verified} verified`)
  assert(requests > 20 * perSecond)
  assert.deepEqual([...failures.slice(0, 5), ...failures.slice(-5)], [])
  assert.deepEqual([calls, verified], [requests, requests])
})

async function buildAndTag(revision: string, tag: string): Promise<void> {
  await run('git', ['checkout', '--quiet', revision], { cwd: clone })
  const script = `
    const { buildImages } = await import('./scripts/image/build.ts')
    const { thisArchitecture } = await import('./scripts/image/architecture.ts')
    const [image] = await buildImages(['ringproof'], thisArchitecture(), () => undefined)
    process.stdout.write(image.archive + ' ' + image.reference)`
  await run(process.execPath, ['scripts/web/build.ts'], { cwd: clone })
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: clone })
  const [archive = '', reference = ''] = stdout.split(' ')
  await docker.inside(['docker', 'load', '--quiet', '--input', archive])
  await docker.inside(['docker', 'tag', reference, `localhost/ringproof:${tag}`])
}

// The second file and the limits are an operator's choice; the third replaces Asterisk.
function writeSettings(version: string): void {
  const example = readFileSync(join(repository, 'deploy/compose/.env.example'), 'utf8')
  const passwords = [...example.matchAll(/^\w+_PASSWORD=$/gm)].map(([line]) => `${line}test`)
  const settings = [
    ...passwords,
    `VERSION=${version}`,
    'COMPOSE_FILE=compose.yaml:second-api.yaml:two-nodes.yaml',
    'RINGPROOF_REQUESTS_PER_SECOND=100000',
    'RINGPROOF_SERVICE_VERIFICATIONS_HOUR_MAX=none',
    'RINGPROOF_SERVICE_VERIFICATIONS_DAY_MAX=none',
    'RINGPROOF_TRUSTED_PROXIES=172.16.0.0/12',
    'RINGPROOF_REGISTRY_URL=',
  ]
  writeFileSync(join(compose, '.env'), `${settings.join('\n')}\n`)
  copyFileSync(join(import.meta.dirname, 'two-nodes.yaml'), join(compose, 'two-nodes.yaml'))
  copyFileSync(join(repository, 'deploy/compose/second-api.yaml'), join(compose, 'second-api.yaml'))
}

async function up(...names: readonly string[]): Promise<void> {
  await docker.inside(['docker', 'compose', 'up', '--detach', '--wait', ...names], compose)
}

async function typed(commands: string): Promise<void> {
  await docker.inside(['bash', '-euo', 'pipefail', '-c', commands], compose)
}

async function migrationsApplied(): Promise<number> {
  const query = ['psql', '--username=postgres', '-Atc', 'SELECT count(*) FROM migrations', 'ringproof']
  return Number(await docker.inside(['docker', 'compose', 'exec', '-T', 'postgres', ...query], compose))
}

async function createTestService(): Promise<string> {
  const ringproof = (...args: readonly string[]) =>
    docker.inside(['docker', 'compose', 'run', '--rm', '-T', 'cli', ...args], compose)
  const account = (await ringproof('accounts', 'create', '--email', 'you@example.org', '--quiet')).trim()
  const created = await ringproof('services', 'create', '--account', account, '--name', 'Shop', '--test', '--env')
  const valueOf = (name: string) => new RegExp(`^export ${name}='?([^'\n]+)`, 'm').exec(created)?.[1] ?? ''
  return `${valueOf('KEY')}.${valueOf('SERVICE_ID')}`
}

// The sample with its health check on, in front of both processes.
async function startCaddy(): Promise<{ readonly base: string; readonly close: () => Promise<void> }> {
  const file = join(clone, 'Caddyfile')
  const sample = readFileSync(join(repository, 'deploy/caddy/Caddyfile'), 'utf8')
  const checked = ['health_uri /readyz', 'health_interval 2s', 'health_timeout 2s'].join('\n\t\t')
  writeFileSync(file, sample.replace('\t\ttransport http {', `\t\t${checked}\n\t\ttransport http {`))
  const base = 'http://127.0.0.1:9000'
  const shell = docker.shell(clone)
  const ended = once(shell, 'close')
  const settings = [`PROXY_SITE=${base}`, 'PROXY_BIND=127.0.0.1', 'PROXY_ADMIN=off', `XDG_DATA_HOME=${clone}`]
  const upstream = `PROXY_UPSTREAM='127.0.0.1:8080 127.0.0.1:8081'`
  const program = await caddyProgram()
  shell.stdin?.write(
    `exec env ${settings.join(' ')} ${upstream} ${program} run --config ${file} --adapter caddyfile 2>/dev/null\n`,
  )
  await docker.inside([
    'timeout',
    '30',
    'bash',
    '-c',
    `until curl --silent --output /dev/null ${base}/readyz; do sleep 0.2; done`,
  ])
  const close = async () => {
    await docker.inside(['pkill', '-TERM', '-f', file])
    await ended
  }
  return { base, close }
}

// The load goes on meanwhile.
async function sleepInside(seconds: number): Promise<void> {
  await docker.inside(['sleep', String(seconds)])
}
