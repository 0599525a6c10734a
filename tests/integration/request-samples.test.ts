// The request samples of the reference, every method in every language, run against the real server.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { examples } from '@ringproof/contract/examples.ts'
import { type Method, methods } from '@ringproof/contract/methods.ts'
import { installInterpreters } from '../../scripts/stack/interpreters.ts'
import { requestSamples } from '../../server/src/http/docs/request-samples.ts'
import { ask } from '../support/http/ask.ts'
import { installPhones } from '../support/process/phones.ts'
import { makeService, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

await installInterpreters()
const installation = await installPhones(0.3)
const { base } = await serve(installation, { RINGPROOF_WEBHOOK_ALLOW: '127.0.0.0/8' })
const service = await makeService(installation)
const scratch = fileDirectory()
const env = {
  ...process.env,
  KEY: service.key,
  SERVICE_ID: String(service.serviceId),
  GOCACHE: join(scratch, 'go-cache'),
  GO111MODULE: 'off',
}
const { json: started } = await ask(`${base}/v1.0/initCall?phone=79000000001`, { headers: service.bearer })

// The file that each language needs, and the command that runs it.
const runs: Readonly<Record<string, readonly [file: string, command: (path: string) => readonly string[]]>> = {
  curl: ['sample.sh', (path) => ['sh', path]],
  PHP: ['sample.php', (path) => ['php', path]],
  Node: ['sample.mjs', (path) => [process.execPath, path]],
  Python: ['sample.py', (path) => ['python3', path]],
  Go: ['sample.go', (path) => [path.replace(/\.go$/, '')]],
}

// The values of the example, where they can work here: this verification, and a receiver that is allowed.
function requestOf(method: Method): Readonly<Record<string, unknown>> {
  const { request } = examples[method]
  return {
    ...request,
    ...('uid' in request ? { uid: started['vendor_id'] } : {}),
    ...('callback_url' in request ? { callback_url: 'http://127.0.0.1:9/' } : {}),
  }
}

// Go needs a second to build a program, so all of them are built at once.
const go = methods.map((method) => fileOf(method, 'Go'))
for (const [index, path] of go.entries()) write(path, textOf(methods[index] ?? 'initCall', 'Go'))
await Promise.all(
  go.map((path) => promisify(execFile)('go', ['build', '-o', path.replace(/\.go$/, ''), path], { env })),
)

for (const language of Object.keys(runs)) {
  test(`every request in ${language} gets its response`, { timeout: 120_000 }, async () => {
    for (const method of methods) {
      const path = fileOf(method, language)
      write(path, textOf(method, language))
      const [command = '', ...args] = runs[language]?.[1](path) ?? []
      const { stdout, stderr } = await promisify(execFile)(command, args, { env }).catch((error) => error)
      // Python raises an error for the status of a refusal.
      if (method === 'initRepeat') assert.match(stdout + stderr, /405/)
      else assert.match(stdout, firstField[method], `${method}: ${stdout} ${stderr}`)
    }
  })
}

// In JSON, or as Node prints an object.
const firstField: Readonly<Record<Method, RegExp>> = {
  initCall: /vendor_id"?: ?\d+/,
  getInfo: /call_status"?: ?(-1|1)/,
  initRepeat: /405/,
  inboundCallWaiting: /confirmation_number"?: ?["']\d+/,
  checkPhone: /country_iso"?: ?["']RU/,
  getAccount: /telegram_id"?: ?0/,
  getService: /service_status"?: ?\d+/,
  getBalance: /rub_balance"?: ?[\d.]+/,
}

function textOf(method: Method, language: string): string {
  const sample = requestSamples(base, method, requestOf(method)).find(({ name }) => name === language)
  assert(sample, language)
  return `${sample.text}\n`
}

function fileOf(method: Method, language: string): string {
  return join(scratch, language, method, runs[language]?.[0] ?? '')
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
