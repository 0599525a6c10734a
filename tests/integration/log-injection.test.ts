// Whatever a request contains, the log stays one JSON object per line, and no line can be forged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../server/src/process/log/log.ts'
import { ask } from '../support/http/ask.ts'
import { sendRaw } from '../support/http/raw-http.ts'
import { install, makeService, serveProcess } from '../support/process/server.ts'

const forged = '{"time":"2026-01-01T00:00:00.000Z","level":"info","msg":"forged"}'
const values = [
  `a\n${forged}\n`,
  `a\r\n${forged}`,
  `"}\n${forged}`,
  `\u001b[2J\u001b]0;forged\u0007`,
  `\u009b31mforged`,
  `forged\u2028${forged}\u2029`,
  `forged\u0085${forged}`,
  `\\n${forged}\\u000a`,
  `forged\u0000`,
]
const fields = ['phone', 'code', 'client', 'unique', 'callback_url', 'uid', 'key', 'service_id', 'voice', 'mix']
const methods = ['initCall', 'inboundCallWaiting', 'getInfo', 'checkPhone', 'initRepeat']

test('line breaks, terminal escapes and JSON in any field or header do not reach the log', async () => {
  const installation = await install()
  const service = await makeService(installation)
  const served = await serveProcess(installation, { RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
  let requests = 0
  for (const [index, value] of values.entries()) {
    for (const method of methods) {
      for (const field of [...fields, value]) {
        // One address each, or the wrong keys would block the rest.
        const headers = { ...service.bearer, 'x-forwarded-for': `10.0.${index}.${requests++ % 256}` }
        const body = { phone: '79000000001', callback_url: 'https://example.org/', uid: 1, [field]: value }
        await ask(`${served.base}/v1.0/${method}`, { method: 'POST', headers, body })
      }
    }
    requests += await sendInHead(served.base, service.bearer.authorization, value)
  }
  served.running.process.kill('SIGTERM')
  const { out, err } = await served.running.ended
  assert.equal(err, '')
  assert.deepEqual(faultsOf(out), [])
  assert.equal(out.split('\n').filter((line) => line.includes('"request completed"')).length, requests)
})

// In the path, the query and the headers, as far as HTTP permits.
async function sendInHead(base: string, authorization: string, value: string): Promise<number> {
  const text = Buffer.from(value)
    .toString('latin1')
    .replaceAll(/[\r\n\0]/g, ' ')
  const encoded = encodeURIComponent(value)
  const heads = [
    `GET /v1.0/getInfo?uid=${encoded}&${encoded}=1 HTTP/1.1\r\nauthorization: ${authorization}`,
    `GET /v1.0/${encoded} HTTP/1.1\r\nauthorization: ${authorization}`,
    ...['user-agent', 'x-request-id', 'accept-language', 'referer', 'x-forwarded-for', 'traceparent'].map(
      (name) => `GET /v1.0/getBalance HTTP/1.1\r\nauthorization: ${authorization}\r\n${name}: ${text}`,
    ),
  ]
  let logged = 0
  for (const head of heads) {
    const { body } = await sendRaw(base, `${head}\r\nhost: x\r\nconnection: close\r\n\r\n`)
    // What Node's parser refuses never becomes a request that could be logged.
    if (!body.includes('"code":1}')) logged += 1
  }
  return logged
}

test('an error that quotes such a value is one line without terminal escapes', () => {
  const lines: string[] = []
  const log = createLog({ write: (line) => void lines.push(line) })
  for (const value of values) log.error({ err: new Error(value, { cause: new TypeError(value) }) }, 'request failed')
  assert.equal(lines.length, values.length)
  for (const line of lines) {
    assert.deepEqual(
      faultsOf(line).filter((fault) => fault !== 'a sent value'),
      [],
    )
    const { err } = JSON.parse(line) as { err: { message: string; stack: string; cause: { message: string } } }
    // A terminal would show these, except the line breaks of a stack trace.
    for (const text of [err.message, err.stack, err.cause.message]) assert.doesNotMatch(text, terminalControls)
  }
})

test('the search finds seeded values', () => {
  const line = '{"level":"info","time":"2026-01-01T00:00:00.000Z","msg":"request completed"}\n'
  assert.deepEqual(faultsOf(line), [])
  assert.deepEqual(faultsOf(`${line}broken\n`), ['no JSON'])
  assert.deepEqual(faultsOf(`${line}${forged}\n`), ['a sent value'])
  assert.deepEqual(faultsOf(line.replace('request completed', 'a\u009bb')), ['a control character'])
  assert.deepEqual(faultsOf(line.replace('request completed', 'a\u2028b')), ['a control character'])
})

// oxlint-disable-next-line no-control-regex
const terminalControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/

function faultsOf(log: string): readonly string[] {
  return log
    .trimEnd()
    .split('\n')
    .flatMap((line) => [
      ...(isObject(line) ? [] : ['no JSON']),
      ...(line.includes('forged') ? ['a sent value'] : []),
      ...(terminalControls.test(line) ? ['a control character'] : []),
    ])
}

function isObject(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
