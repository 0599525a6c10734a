// Every example, run as the quickstart says, against the real server.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { installInterpreters } from '../../scripts/stack/interpreters.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { Ringproof, webhooks } from '../../sdk/src/client.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { packSdk } from '../support/process/packed-sdk.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

await installInterpreters()
const installation = await installPhones(0.1)
const { base } = await serve(installation)
const service = await makeService(installation)
// A folder as a customer has it: the examples, and the SDK as npm installs it.
const { folder } = packSdk(fileDirectory())
cpSync(join(import.meta.dirname, '../../examples'), folder, { recursive: true })
const goCache = { GOCACHE: join(folder, 'go-cache'), GOFLAGS: '-mod=mod', GO111MODULE: 'off', HOME: folder }
const credentials = { BASE_URL: base, KEY: service.key, SERVICE_ID: String(service.serviceId) }

// A hanging example must not hang the test.
const withTimeout = { timeout: 60_000 }

const calls: [example: string, command: () => string[]][] = [
  ['curl/call.sh', () => ['sh', 'curl/call.sh']],
  ['php/call.php', () => ['php', 'php/call.php']],
  ['php/call-curl.php', () => ['php', 'php/call-curl.php']],
  ['node/call.mjs', () => [process.execPath, 'node/call.mjs']],
  ['python/call.py', () => ['python3', 'python/call.py']],
  ['go/call.go', () => [builtGo('call')]],
]
for (const [example, command] of calls) {
  test(`${example} verifies a person who types the right code, and no other`, withTimeout, async () => {
    const words = command()
    const [right, wrong] = await Promise.all([
      runCall(words, credentials, (code) => code),
      runCall(words, credentials, (code) => (code === '0001' ? '0002' : '0001')),
    ])
    assert.deepEqual([right.status, /Verified\./.test(right.said)], [0, true], right.said)
    assert.deepEqual([wrong.status, /Wrong code\./.test(wrong.said)], [1, true], wrong.said)
    // A refusal ends it with a sentence, not a stack trace.
    const refused = await runCall(words, { ...credentials, SERVICE_ID: '1' }, (code) => code)
    assert.notEqual(refused.status, 0, refused.said)
    assert.match(refused.said, /Authentication failed/)
  })
}

const receivers: [example: string, command: (port: number) => string[]][] = [
  ['php/webhook.php', (port) => ['php', '-S', `127.0.0.1:${port}`, 'php/webhook.php']],
  ['node/webhook.mjs', () => [process.execPath, 'node/webhook.mjs']],
  ['python/webhook.py', () => ['python3', 'python/webhook.py']],
  ['go/webhook.go', () => [builtGo('webhook')]],
]
for (const [example, command] of receivers) {
  test(`${example} accepts a signed webhook, and nothing else`, withTimeout, async (t) => {
    const { key, serviceId, webhookSecret: secret } = service
    const port = await freePort()
    const program = run(command(port), { PORT: String(port), WEBHOOK_SECRET: secret })
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

type Ran = { readonly status: number; readonly said: string }

// Answers the prompt for the code as the person would.
async function runCall(command: string[], env: Record<string, string>, type: (code: string) => string): Promise<Ran> {
  const program = run(command, env)
  const asked = program.says('called: ')
  const isAsked = await Promise.race([asked.then(() => true), program.ended.then(() => false)])
  if (isAsked) {
    const id = /\d{12,16}/.exec(program.said())?.[0]
    const { json } = await ask(`${base}/v1.0/getInfo?uid=${id}`, { headers: service.bearer })
    program.child.stdin?.end(`${type(String(json['code']))}\n`)
  }
  return { status: await program.ended, said: program.said() }
}

type Program = {
  readonly child: ChildProcess
  readonly said: () => string
  readonly says: (words: string) => Promise<void>
  readonly ended: Promise<number>
  readonly stop: () => Promise<unknown>
}

function run([program = '', ...args]: string[], env: Record<string, string>): Program {
  const child = spawn(program, args, { cwd: folder, env: { PATH: process.env['PATH'], ...env }, stdio: 'pipe' })
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
    says: (words) =>
      new Promise((resolve) => {
        const listen = () => (said.includes(words) ? resolve() : undefined)
        listeners.add(listen)
        listen()
      }),
    ended,
    stop: async () => {
      child.kill()
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

function builtGo(name: string): string {
  const binary = join(folder, name)
  execFileSync('go', ['build', '-o', binary, `go/${name}.go`], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...goCache },
  })
  return binary
}
