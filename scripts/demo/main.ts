// Runs as `npm run demo`: the whole product on this machine, with six customers, an operator and two weeks of past traffic. One command
// starts everything, Ctrl-C stops what it started. Its database is made anew each time and is apart from the one of development. The image
// ringproof-demo runs it, too.
//
//   npm run demo -- --port 8080     another port than 8080
//   npm run demo -- --days 3        the past has fewer days, so that it is written sooner the first time
//   npm run demo -- --desk-port 81  the page of the operator's code and of payments has this port, and not any
//   npm run demo -- --print-json    prints what it would print for a person as one JSON line, for tests

import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, rmSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { freePort, portIsFree } from '../stack/ports.ts'
import { openPaidDesk } from './desk-setup.ts'
import { type Past, providePast, worldDays } from './past.ts'
import type { Seeded } from './people.ts'
import { goOn, startIllCarrier } from './present.ts'

type Server = ChildProcessByStdio<null, Readable, null>

const repository = join(import.meta.dirname, '../..')
const folder = join(repository, '.stack', 'demo')
const program = join(repository, 'server/bin/ringproof.js')

// Docker kills after ten seconds. Calls in flight may take longer, and nobody misses them: the next start has another database.
const stopMsMax = 4_000

process.chdir(repository)
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8080' },
    days: { type: 'string', default: String(worldDays) },
    'desk-port': { type: 'string', default: '0' },
    'print-json': { type: 'boolean', default: false },
  },
})
const port = Number(values.port)
const days = Math.min(Number(values.days), worldDays)
// The image listens on all addresses of its container.
const host = process.env['RINGPROOF_HTTP_HOST'] ?? '127.0.0.1'
const url = publicUrl(port)
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())
process.once('SIGTERM', () => stopping.abort())
// Not only the exit code: what was being started is not waited for.
process.exit(await main())

async function main(): Promise<number> {
  if (!(await portIsFree(port))) {
    process.stderr.write(`Port ${port} is taken. Choose another: npm run demo -- --port 8090\n`)
    return 1
  }
  const stopped = once(stopping.signal, 'abort').then(() => undefined)
  await using open = new AsyncDisposableStack()
  // A stop does not wait for the past to be written: without the database, the rest of the start fails.
  const started = start(open).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  const server = await Promise.race([started, stopped])
  if (server) await Promise.race([stopped, once(server, 'exit')])
  return server?.exitCode ?? 0
}

async function start(open: AsyncDisposableStack): Promise<ChildProcess> {
  const startedMs = performance.now()
  step('servers')
  if (!runsStack()) open.defer(stopStack)
  await run('scripts/stack/main.ts', 'up', '--telephony')
  step('web pages')
  if (isWebOutdated()) await run('scripts/web/build.ts')
  step(`the past: ${days} days the first time, then what is missing`)
  const illPort = await freePort()
  const { environment, seeded, customers } = await prepare(illPort)
  // A process that is started after the stop would be nobody's.
  stopping.signal.throwIfAborted()
  const ill = startIllCarrier(folder, illPort)
  open.defer(() => void ill.kill('SIGKILL'))
  const desk = open.adopt(
    await openPaidDesk(environment, seeded, { url, host, port: Number(values['desk-port']) }),
    close,
  )
  stopping.signal.throwIfAborted()
  step('server')
  const server = startServer({ ...environment, RINGPROOF_OWN_SERVICE: `${seeded.ownKey}.${seeded.ownServiceId}` })
  open.defer(() => stopServer(server))
  await untilReady(server, () => process.stdout.write(`\n  The operator's code is ${desk.code()}\n`))
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  process.stdout.write(
    values['print-json']
      ? `${JSON.stringify({ url, deskUrl: desk.url, ...seeded })}\n`
      : welcome(desk.url, seeded, seconds),
  )
  const tests = { key: seeded.testKey, serviceId: seeded.testServiceId }
  const present = goOn({ url, customers, tests, pay: desk.pay, signal: stopping.signal })
  open.defer(async () => {
    stopping.abort()
    await present
  })
  open.adopt(showMail(String(environment['RINGPROOF_MAIL_DIR'])), close)
  return server
}

function close(opened: { readonly close: () => void }): void {
  opened.close()
}

function step(title: string): void {
  process.stderr.write(`demo: ${title}\n`)
}

function runsStack(): boolean {
  return spawnSync(process.execPath, ['scripts/stack/main.ts', 'status'], { stdio: 'ignore' }).status === 0
}

function stopStack(): void {
  spawnSync(process.execPath, ['scripts/stack/main.ts', 'down'], { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function run(...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], signal: stopping.signal })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`${args.join(' ')} failed`)
}

// Built already, and nothing changed since?
function isWebOutdated(): boolean {
  const built = statSync('web/dist/index.html', { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = globSync('{web/src,contract/src,examples}/**/*.*')
  return sources.some((file) => statSync(file).mtimeMs > built)
}

async function prepare(illPort: number): Promise<Past & { readonly environment: NodeJS.ProcessEnv }> {
  const stack = stackEnvironment()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'mail'), { recursive: true, mode: 0o700 })
  const folders = { secrets: join(folder, 'secrets'), numbering: join(folder, 'numbering'), illPort }
  const past = await providePast({ stack, program, days }, 'ringproof_demo', folders)
  const environment = {
    ...process.env,
    ...stack,
    RINGPROOF_DATABASE_URL: past.RINGPROOF_DATABASE_URL,
    RINGPROOF_DATABASE_OWNER_URL: past.RINGPROOF_DATABASE_OWNER_URL,
    RINGPROOF_HTTP_PORT: String(port),
    RINGPROOF_PUBLIC_URL: url,
    RINGPROOF_METRICS_PORT: '',
    // The default is one machine with Asterisk, without the signalling edge.
    RINGPROOF_EDGE_URL: '',
    RINGPROOF_NATS_PREFIX: 'demo',
    RINGPROOF_SECRETS_DIR: folders.secrets,
    RINGPROOF_NUMBERING_DIR: folders.numbering,
    RINGPROOF_MAIL_DIR: join(folder, 'mail'),
    RINGPROOF_REGISTRY_URL: '',
    RINGPROOF_WEBHOOK_ALLOW: '127.0.0.0/8',
  }
  return { environment, seeded: past.seeded, customers: past.customers }
}

function stackEnvironment(): Record<string, string> {
  const { stdout } = spawnSync(process.execPath, ['scripts/stack/main.ts', 'env'], { encoding: 'utf8' })
  const exports = stdout.matchAll(/^export (\w+)='(.*)'$/gm)
  return Object.fromEntries([...exports].map(([, name = '', value = '']) => [name, value]))
}

function startServer(environment: NodeJS.ProcessEnv): Server {
  return spawn(process.execPath, [program, 'serve'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
}

async function untilReady(server: Server, onSignIn: () => void): Promise<void> {
  const ready = Promise.withResolvers<void>()
  let log = ''
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-20_000)
    if (log.includes('"msg":"ready"')) ready.resolve()
    if (text.includes('"route":"/web/sign-in"')) onSignIn()
  })
  server.once('exit', () => ready.reject(new Error(`the server has ended: ${log}`)))
  await ready.promise
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGTERM')
  const late = setTimeout(() => server.kill('SIGKILL'), stopMsMax)
  await once(server, 'exit')
  clearTimeout(late)
}

// Messages go to a folder; their links are what a person needs of them.
function showMail(dir: string): { readonly close: () => void } {
  const shown = new Set<string>()
  return watch(dir, (_, name) => {
    if (!name?.endsWith('.json') || shown.has(name)) return
    shown.add(name)
    const {
      to,
      subject,
      text: body,
    } = JSON.parse(readFileSync(join(dir, name), 'utf8')) as { to: string; subject: string; text: string }
    const [link = ''] = /https?:\S+/.exec(body) ?? []
    process.stdout.write(`\n  Message to ${to}: ${subject}\n  ${link}\n`)
  })
}

// localhost and not 127.0.0.1: passkeys and __Host- cookies need a name that browsers trust.
function publicUrl(at: number): string {
  return `http://localhost:${at}`
}

function welcome(deskUrl: string, { user, operator, serviceId, key }: Seeded, seconds: number): string {
  return `
  Ringproof is running, ${seconds} s after you started it. Ctrl-C stops everything.

  Dashboard        ${url}/dashboard
    sign in with   ${user.email}   ${user.password}
  Virtual phones   ${url}/dashboard/test/phones
  Console          ${url}/console
    sign in with   ${operator.email}   ${operator.password}
    second step    the code is shown here after the password, and on ${deskUrl}
  API              ${url}/v1.0
  Docs             ${url}/docs
  Messages         are shown here as they are sent

  Call the test number 79000000001 and watch it ring in the browser:

    curl -H 'Authorization: Bearer ${key}.${serviceId}' '${url}/v1.0/initCall?phone=79000000001'

`
}
