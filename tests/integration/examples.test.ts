// Every example, run from this clone with the command that the quickstart shows, against the real server. The person types
// what the example itself says.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { installInterpreters } from '../../scripts/stack/interpreters.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { Ringproof, webhooks } from '../../sdk/src/client.ts'
import { poll } from '../support/poll.ts'
import { packSdk } from '../support/process/packed-sdk.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

await installInterpreters()
const installation = await installPhones(0.3)
const { base } = await serve(installation)
const service = await makeService(installation)
const repository = join(import.meta.dirname, '../..')
const scratch = fileDirectory()
const goEnvironment = { GOCACHE: join(scratch, 'go-cache'), GO111MODULE: 'off', HOME: scratch }
const credentials = { BASE_URL: base, KEY: service.key, SERVICE_ID: String(service.serviceId) }
const commands = commandsIn(readFileSync(join(repository, 'docs/guides/quickstart.md'), 'utf8'))

// A hanging example must not hang the test.
const withTimeout = { timeout: 60_000 }

test('the quickstart shows a command for every example', () => {
  assert.deepEqual([...commands.keys()].filter((example) => example.includes('call')).length, 6)
  assert.deepEqual([...commands.keys()].filter((example) => example.includes('webhook')).length, 4)
})

for (const [example, command] of commands) {
  if (!example.includes('call')) continue
  test(`${command} verifies the right code within three guesses and ten minutes`, withTimeout, () =>
    verifies(command, repository),
  )
}

test('node/call.mjs verifies with the published package in another project', withTimeout, async () => {
  const { folder } = packSdk(scratch)
  cpSync(join(repository, 'examples/node'), folder, { recursive: true })
  await verifies(`${process.execPath} call.mjs`, folder)
})

for (const [example, command] of commands) {
  if (!example.includes('call')) continue
  test(`${command} takes no code after ten minutes`, withTimeout, () => expires(command, example))
}

for (const [example, command] of commands) {
  if (!example.includes('webhook')) continue
  test(`${command} accepts a signed webhook, and nothing else`, withTimeout, async (t) => {
    const { key, serviceId, webhookSecret: secret } = service
    const port = await freePort()
    const settings = { PORT: String(port), WEBHOOK_SECRET: secret }
    const program = run(command.replace(':8080', `:${port}`), repository, settings)
    t.after(() => program.stop())
    await listening(port, program.child)
    const post = async (text: string, headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text })).status
    const body = JSON.stringify({ callId: '230695440908289', clientNumber: '79000000001', regionName: 'Пермь' })
    const headers = await webhooks.testHeaders(body, secret)
    const both = { ...headers, 'webhook-signature': `v1,b2xk ${headers['webhook-signature']}` }
    const late = await webhooks.testHeaders(body, secret, { timestampSeconds: Math.floor(Date.now() / 1_000) - 400 })
    assert.equal(await post(body, headers), 204)
    assert.equal(await post(body, both), 204)
    await program.says('Verified: 79000000001 has called, verification 230695440908289')
    // And a real webhook: the subscriber of this number calls a moment after the request.
    const ringproof = new Ringproof({ baseUrl: base, key, serviceId })
    const request = { phone: '79000000001', callback_url: `http://127.0.0.1:${port}/` }
    const { vendor_id: id } = await ringproof.inboundCallWaiting(request)
    await program.says(`Verified: 79000000001 has called, verification ${id}`)
    assert.equal(await post(body.replace('01', '02'), headers), 400)
    assert.equal(await post(body, late), 400)
    assert.equal(await post(body, await webhooks.testHeaders(body, 'whsec_b3RoZXI=')), 400)
    assert.equal(await post(body, {}), 400)
  })
}

// By example: the command in the block before the link to it. The settings of its first line are those of this test.
function commandsIn(page: string): ReadonlyMap<string, string> {
  const block = /```sh\n(?:\. \.stack\/service\.env\n)?([^`\n]+)\n```\n\n\[(examples\/[^\]]+)\]/g
  return new Map([...page.matchAll(block)].map(([, command = '', example = '']) => [example, command]))
}

async function verifies(command: string, folder: string): Promise<void> {
  const [first, third, none] = await Promise.all([
    runCall(command, folder, credentials, (code) => [code]),
    runCall(command, folder, credentials, (code) => [otherThan(code), otherThan(code), code]),
    runCall(command, folder, credentials, (code) => [otherThan(code), otherThan(code), otherThan(code), code]),
  ])
  assert.deepEqual([first.status, /Verified\./.test(first.said)], [0, true], first.said)
  assert.deepEqual([third.status, /guess 2 of 3\.[^]*Verified\./.test(third.said)], [0, true], third.said)
  assert.deepEqual([none.status, /guess 3 of 3\./.test(none.said)], [1, true], none.said)
  assert.doesNotMatch(none.said, /Verified/)
  // A refusal ends it with a sentence, not a stack trace.
  const refused = await runCall(command, folder, { ...credentials, SERVICE_ID: '1' }, (code) => [code])
  assert.notEqual(refused.status, 0, refused.said)
  assert.match(refused.said, /Authentication failed/)
}

const otherThan = (code: string) => (code === '0001' ? '0002' : '0001')

// The same program, with a code that has expired when the user types it.
async function expires(command: string, example: string): Promise<void> {
  const text = readFileSync(join(repository, example), 'utf8')
  const expired = text.replaceAll(/600_000|\b600\b/g, '0')
  assert.notEqual(expired, text, 'ten minutes')
  const folder = mkdtempSync(join(repository, 'examples/.expired-'))
  try {
    const copy = join(folder, basename(example))
    writeFileSync(copy, expired)
    const late = await runCall(command.replace(example, copy), repository, credentials, (code) => [code])
    assert.deepEqual([late.status, /The code has expired\./.test(late.said)], [1, true], late.said)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Ran = { readonly status: number; readonly said: string }

// Answers the prompt for the code as a newcomer would: with the code that the example shows for the test number.
async function runCall(
  command: string,
  folder: string,
  env: Record<string, string>,
  type: (code: string) => readonly string[],
): Promise<Ran> {
  const program = run(command, folder, env)
  const isAsked = (times: number) => {
    const asked = program.says('called: ', times)
    return Promise.race([asked.then(() => true), program.ended.then(() => false)])
  }
  if (await isAsked(1)) {
    const code = /This is a test number\. Type (\d{4})$/m.exec(program.said())?.[1] ?? 'no code was shown'
    for (const [before, guess] of type(code).entries()) {
      if (await isAsked(before + 1)) program.child.stdin?.write(`${guess}\n`)
    }
  }
  return { status: await program.ended, said: program.said() }
}

type Program = {
  readonly child: ChildProcess
  readonly said: () => string
  readonly says: (words: string, times?: number) => Promise<void>
  readonly ended: Promise<number>
  readonly stop: () => Promise<unknown>
}

function run(command: string, folder: string, env: Record<string, string>): Program {
  // In its own process group: npx and go start the example as a child.
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...goEnvironment, ...env },
    stdio: 'pipe',
    detached: true,
  })
  const listeners = new Set<() => void>()
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      for (const listener of listeners) listener()
    })
  }
  const ended = once(child, 'close').then(([status]: unknown[]) => Number(status))
  return {
    child,
    said: () => said,
    says: (words, times = 1) =>
      new Promise((resolve) => {
        const listen = () => (said.split(words).length > times ? resolve() : undefined)
        listeners.add(listen)
        listen()
      }),
    ended,
    stop: async () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
      await ended
    },
  }
}

// None of them reports that it listens, so requests are repeated until one succeeds.
async function listening(port: number, child: ChildProcess): Promise<void> {
  await poll('the example to listen', async () => {
    assert.equal(child.exitCode, null, 'the example exited')
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isOpen
  })
}
