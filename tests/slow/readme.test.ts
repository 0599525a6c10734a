// README, docs/guides/by-hand.md and the quickstart, typed word for word by a newcomer with the system's Node: in a fresh clone, in two
// terminals, without a warning, and by hand with the first verified call within a minute.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { installInterpreters } from '../../scripts/stack/interpreters.ts'
import { freePort, portIsFree } from '../../scripts/stack/ports.ts'
import { atEnd } from '../support/at-end.ts'
import { poll } from '../support/poll.ts'
import { newcomersEnvironment } from '../support/process/newcomers-environment.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const firstCallMsMax = 60_000
// Slow only where packages have to be downloaded.
const waitMs = { timeoutMs: 300_000, intervalMs: 50 }

await installInterpreters()
const repository = join(import.meta.dirname, '../..')
const clone = join(fileDirectory(), 'ringproof')
execFileSync('git', ['clone', '--quiet', repository, clone])
const readme = readFileSync(join(clone, 'README.md'), 'utf8')
const byHand = readFileSync(join(clone, 'docs/guides/by-hand.md'), 'utf8')
const quickstart = readFileSync(join(clone, 'docs/guides/quickstart.md'), 'utf8')
const environment = { ...newcomersEnvironment(), TERM: 'dumb', PS1: '$ ' }
atEnd(async () => {
  execFileSync('npm', ['run', 'stack', '--', 'down'], { cwd: clone, env: environment, stdio: 'ignore' })
})

const opened: Terminal[] = []
atEnd(async () => {
  for (const terminal of opened) await terminal.close()
})

test('by hand: no warning, and the first verified call within a minute', async (t) => {
  const [first = '', second = '', ...rest] = commandBlocks(byHand)
  assert.deepEqual(rest, [], 'the page has one block per terminal')
  const node = execFileSync('node', ['--version'], { env: environment, encoding: 'utf8' }).trim()
  const startedMs = performance.now()
  const server = openTerminal(first)
  await server.shows(/Ringproof \S+ is ready/)
  const readyMs = performance.now()
  const caller = openTerminal(second)
  await verify(caller)
  const verifiedMs = performance.now()
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  t.diagnostic(
    `Node ${node}: ready after ${seconds(readyMs - startedMs)}, verified after ${seconds(verifiedMs - startedMs)}`,
  )

  for (const shown of [server.shown(), caller.shown()]) assert.doesNotMatch(shown, /\bwarn|deprecat|EBADENGINE|error/i)
  for (const name of ['Docs', 'Metrics']) {
    const address = new RegExp(`^ *${name} +(http\\S+)`, 'm').exec(server.shown())?.[1] ?? ''
    assert.equal((await fetch(address)).status, 200, `${name} ${address}`)
  }
  assert(verifiedMs - startedMs <= firstCallMsMax, `it took ${seconds(verifiedMs - startedMs)}`)
})

test('by hand: the installation knows operator, region and city of a number', () => {
  const asks = `. .stack/service.env
    curl --silent --header "Authorization: Bearer $KEY.$SERVICE_ID" "$BASE_URL/v1.0/checkPhone?phone=79071230180"`
  const described = JSON.parse(execFileSync('bash', ['-c', asks], { cwd: clone, env: environment, encoding: 'utf8' }))
  for (const field of ['provider', 'company', 'region', 'city']) assert(described[field], field)
})

for (const [sample, command] of commandsBySample(quickstart)) {
  if (!sample.includes('call')) continue
  test(`quickstart: ${command}`, async () => {
    await verify(openTerminal(`. .stack/service.env\n${command}`))
  })
}

for (const [sample, command] of commandsBySample(quickstart)) {
  if (!sample.includes('webhook')) continue
  test(`quickstart: ${command}`, async (t) => {
    // The page says 8080. Another program of this machine may have it.
    const port = (await portIsFree(8080)) ? 8080 : await freePort()
    const typed = (text: string) => `export PORT=${port}\n${text.replaceAll(':8080', `:${port}`)}`
    const receiver = openTerminal(typed(`. .stack/service.env\n${command}`))
    t.after(() => receiver.close())
    await poll('the receiver to listen', async () => !(await portIsFree(port)), Boolean, waitMs)
    const trigger = commandBlocks(quickstart).find((block) => block.includes('inboundCallWaiting')) ?? ''
    const asked = openTerminal(typed(trigger))
    await asked.shows(/"confirmation_number":"\d+"/)
    await receiver.shows(/Verified: 79000000001 has called, verification \d+/)
  })
}

// Last: npm ci replaces the modules of whatever still runs.
test('README: the demo starts, and its key starts a call and asks how it ended', async (t) => {
  for (const terminal of opened) await terminal.close()
  const [image = '', start = '', requests = '', ...rest] = commandBlocks(section(readme, 'Try it'))
  // tests/containers/demo.test.ts types it.
  assert(readFileSync(join(clone, 'docs/operations/demo.md'), 'utf8').includes(image))
  assert.deepEqual(rest, [], 'the section has one block per terminal')
  // The page says 8080. Another program of this machine may have it.
  const port = (await portIsFree(8080)) ? 8080 : await freePort()
  const startedMs = performance.now()
  const demo = openTerminal(port === 8080 ? start : `${start.trim()} -- --port ${port}`)
  await demo.shows(/Ringproof is running/)
  t.diagnostic(`the demo runs after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`)
  const [, key = ''] = /Bearer (\S+)'/.exec(demo.shown()) ?? []
  const [ask = '', how = ''] = requests
    .replaceAll(':8080', `:${port}`)
    .replace('KEY.SERVICE_ID', key)
    .split(/\n(?=.*getInfo)/)
  const caller = openTerminal(ask)
  await caller.shows(/"vendor_id":\d+.*"code":"\d{4}"/)
  const [, id = ''] = /"vendor_id":(\d+)/.exec(caller.shown()) ?? []
  caller.type(how.trim().replace('VENDOR_ID', id))
  await caller.shows(/"call_status":(-1|1),/)
})

type Terminal = {
  readonly shown: () => string
  readonly shows: (text: RegExp) => Promise<void>
  readonly type: (line: string) => void
  readonly ended: Promise<unknown>
  readonly close: () => Promise<void>
}

// A real terminal: programs print what they print for people.
function openTerminal(commands: string): Terminal {
  const child: ChildProcess = spawn(
    'script',
    ['--quiet', '--return', '--command', 'bash --noprofile --norc', '/dev/null'],
    {
      cwd: clone,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  let shown = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    shown += text.replaceAll('\r', '')
  })
  const ended = once(child, 'close')
  child.stdin?.write(`${commands.trim()}\n`)
  const terminal: Terminal = {
    shown: () => shown,
    shows: async (text) => {
      await poll(
        `${text.source} in the terminal, which shows:\n${commands}`,
        () => text.test(shown) || child.exitCode,
        Boolean,
        waitMs,
      ).catch((error: unknown) => assert.fail(`${String(error)}\n${shown}`))
      assert.match(shown, text)
    },
    type: (line) => child.stdin?.write(`${line}\n`),
    ended,
    // As a person does: Ctrl-C, then exit.
    close: async () => {
      if (child.exitCode !== null) return
      child.stdin?.write('\u0003')
      child.stdin?.write('exit\n')
      child.stdin?.end('\u0004')
      await ended
    },
  }
  opened.push(terminal)
  return terminal
}

async function verify(terminal: Terminal): Promise<void> {
  await terminal.shows(/This is a test number\. Type \d{4}\n[^]*called: /)
  const code = /This is a test number\. Type (\d{4})/.exec(terminal.shown())?.[1] ?? ''
  terminal.type(code)
  await terminal.shows(/^(.*called: .*)?Verified\.$/m)
}

function section(page: string, title: string): string {
  return page.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? ''
}

const block = /(\[[^\]]*\]\([^)]*examples\/[^)]*\)[^\n]*\n\n)?```sh\n([\s\S]*?)```\n/g

// The text of a sample follows the link to it; every other block is for typing.
function commandBlocks(text: string): string[] {
  return [...text.matchAll(block)].filter(([, link]) => link === undefined).map(([, , commands = '']) => commands)
}

// By sample: the last line of the block before the link to it.
function commandsBySample(page: string): ReadonlyMap<string, string> {
  const before = /```sh\n(?:\. \.stack\/service\.env\n)?([^`\n]+)\n```\n\n\[(examples\/[^\]]+)\]/g
  return new Map([...page.matchAll(before)].map(([, command = '', sample = '']) => [sample, command]))
}
