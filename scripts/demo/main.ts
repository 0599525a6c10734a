// Runs as `npm run demo`: the whole product on this machine, with six customers, an operator and two weeks of past traffic. One command
// starts everything, Ctrl-C stops what it started. Its database is made anew each time and is apart from the one of development.
//
//   npm run demo -- --port 8080     another port than 8080
//   npm run demo -- --print-json    prints what it would print for a person as one JSON line, for tests

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, readFileSync, rmSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort, portIsFree } from '../stack/ports.ts'
import type { Desk } from './desk.ts'
import { openPaidDesk } from './desk-setup.ts'
import { type Past, providePast } from './past.ts'
import type { Seeded } from './people.ts'
import { goOn, startIllCarrier } from './present.ts'

const repository = join(import.meta.dirname, '../..')
const folder = join(repository, '.stack', 'demo')
const program = join(repository, 'server/bin/ringproof.js')
const stopMsMax = 90_000

type Server = { readonly child: ChildProcess; readonly log: () => string }

process.chdir(repository)
const { values } = parseArgs({
  options: { port: { type: 'string', default: '8080' }, 'print-json': { type: 'boolean' } },
})
const stopping = new AbortController()
process.once('SIGINT', () => stopping.abort())
process.once('SIGTERM', () => stopping.abort())
const ended = await main(Number(values.port), values['print-json'] === true)
if (ended !== 0) process.exitCode = ended

async function main(port: number, isJson: boolean): Promise<number> {
  const startedMs = performance.now()
  if (!(await portIsFree(port))) {
    process.stderr.write(`Port ${port} is taken. Choose another: npm run demo -- --port 8090\n`)
    return 1
  }
  const startedStack = !runsStack()
  let server: Server | undefined
  let desk: Desk | undefined
  let ill: ChildProcess | undefined
  let present: Promise<void> | undefined
  try {
    step('servers')
    run(process.execPath, 'scripts/stack/main.ts', 'up', '--telephony')
    step('web pages')
    if (isWebOutdated()) run(process.execPath, 'scripts/web/build.ts')
    step('the past: two weeks the first time, then what is missing')
    const illPort = await freePort()
    const { environment, seeded, customers } = await prepare(port, illPort)
    ill = startIllCarrier(folder, illPort)
    desk = await openPaidDesk(environment, seeded, publicUrl(port))
    step('server')
    server = await startServer({ ...environment, RINGPROOF_OWN_SERVICE: `${seeded.ownKey}.${seeded.ownServiceId}` })
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    process.stdout.write(
      isJson
        ? `${JSON.stringify({ url: publicUrl(port), deskUrl: desk.url, ...seeded })}\n`
        : welcome(port, desk.url, seeded, seconds),
    )
    const tests = { key: seeded.testKey, serviceId: seeded.testServiceId }
    present = goOn({ url: publicUrl(port), customers, tests, pay: desk.pay, signal: stopping.signal })
    const mail = showMail(String(environment['RINGPROOF_MAIL_DIR']))
    if (!stopping.signal.aborted) await Promise.race([once(stopping.signal, 'abort'), once(server.child, 'exit')])
    mail.close()
    return server.child.exitCode ?? 0
  } finally {
    stopping.abort()
    await present
    desk?.close()
    ill?.kill('SIGKILL')
    await stopServer(server)
    if (startedStack) run(process.execPath, 'scripts/stack/main.ts', 'down')
  }
}

function step(title: string): void {
  process.stderr.write(`demo: ${title}\n`)
}

function runsStack(): boolean {
  return spawnSync(process.execPath, ['scripts/stack/main.ts', 'status'], { stdio: 'ignore' }).status === 0
}

function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${args.join(' ')} failed`)
}

// Built already, and nothing changed since?
function isWebOutdated(): boolean {
  const built = statSync('web/dist/index.html', { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = globSync('{web/src,contract/src,examples}/**/*.*')
  return sources.some((file) => statSync(file).mtimeMs > built)
}

async function prepare(port: number, illPort: number): Promise<Past & { readonly environment: NodeJS.ProcessEnv }> {
  const stack = stackEnvironment()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'mail'), { recursive: true, mode: 0o700 })
  const folders = { secrets: join(folder, 'secrets'), numbering: join(folder, 'numbering'), illPort }
  const past = await providePast({ stack, program }, 'ringproof_demo', folders)
  const environment = {
    ...process.env,
    ...stack,
    RINGPROOF_DATABASE_URL: past.RINGPROOF_DATABASE_URL,
    RINGPROOF_DATABASE_OWNER_URL: past.RINGPROOF_DATABASE_OWNER_URL,
    RINGPROOF_HTTP_PORT: String(port),
    RINGPROOF_PUBLIC_URL: publicUrl(port),
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

async function startServer(environment: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn(process.execPath, [program, 'serve'], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  const ready = Promise.withResolvers<void>()
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-20_000)
    if (log.includes('"msg":"ready"')) ready.resolve()
  })
  child.once('exit', () => ready.reject(new Error(`the server has ended: ${log}`)))
  await ready.promise
  return { child, log: () => log }
}

// It has ended calls and requests long before the limit, or it hangs and its log says where.
async function stopServer(server: Server | undefined): Promise<void> {
  if (!server || hasEnded(server.child)) return
  const gone = once(server.child, 'exit')
  server.child.kill('SIGTERM')
  const limit = setTimeout(() => {
    process.stderr.write(`demo: the server does not stop: ${server.log()}\n`)
    process.exitCode = 1
    server.child.kill('SIGKILL')
  }, stopMsMax)
  await gone
  clearTimeout(limit)
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
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
function publicUrl(port: number): string {
  return `http://localhost:${port}`
}

function welcome(port: number, deskUrl: string, { user, operator, serviceId, key }: Seeded, seconds: number): string {
  const url = publicUrl(port)
  return `
  Ringproof is running, ${seconds} s after you started it. Ctrl-C stops everything.

  Dashboard        ${url}/dashboard
    sign in with   ${user.email}   ${user.password}
  Virtual phones   ${url}/dashboard/test/phones
  Console          ${url}/console
    sign in with   ${operator.email}   ${operator.password}
    second step    the code on ${deskUrl}
  API              ${url}/v1.0
  Docs             ${url}/docs
  Messages         are shown here as they are sent

  Call the test number 79000000001 and watch it ring in the browser:

    curl -H 'Authorization: Bearer ${key}.${serviceId}' '${url}/v1.0/initCall?phone=79000000001'

`
}
