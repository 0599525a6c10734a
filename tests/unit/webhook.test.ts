import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookRetrySeconds } from '@ringproof/contract/limits.ts'
import { Webhook } from 'standardwebhooks'
import type { VerificationId } from '../../server/src/domain/core/slot.ts'
import { emptyNumberingIndex } from '../../server/src/domain/numbers/numbering-index.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { numberLifeSeconds } from '../../server/src/domain/verifications/inbound-request.ts'
import {
  afterAttempt,
  makeWebhookSecret,
  type NextStep,
  readRetryAfter,
  redactResponse,
  webhookBody,
} from '../../server/src/domain/webhooks/webhook.ts'
import { signedHeaders } from '../../server/src/webhooks/sign.ts'

const failed = (status: number | undefined, retryAfterSeconds?: number) => ({ status, retryAfterSeconds })

test('retries follow the schedule and stop at its end', () => {
  const steps = Array.from({ length: 9 }, (_, index) => afterAttempt(index + 1, failed(500), numberLifeSeconds))
  const again = (step: NextStep) => (step.state === 'due' ? step.inSeconds : step)
  assert.deepEqual(steps.map(again), [...webhookRetrySeconds, { state: 'dead', reason: 'given-up' }])
  const allSeconds = webhookRetrySeconds.reduce((sum: number, seconds) => sum + seconds, 0) + 9 * 10
  assert(allSeconds < numberLifeSeconds, 'the schedule exceeds the life of the number')
})

test('2xx delivers, 410 stops, anything else is retried', () => {
  for (const status of [200, 201, 204, 299])
    assert.deepEqual(afterAttempt(1, failed(status), 1), { state: 'delivered' })
  assert.deepEqual(afterAttempt(1, failed(410), 1_000), { state: 'dead', reason: 'gone' })
  for (const status of [undefined, 100, 199, 300, 301, 302, 307, 308, 400, 401, 404, 408, 429, 500, 503, 599]) {
    assert.deepEqual(afterAttempt(1, failed(status), 1_000), { state: 'due', inSeconds: 2 }, String(status))
  }
})

test('Retry-After can lengthen a delay, but not shorten it or exceed the life of the number', () => {
  assert.deepEqual(afterAttempt(1, failed(503, 120), 1_000), { state: 'due', inSeconds: 120 })
  assert.deepEqual(afterAttempt(3, failed(503, 1), 1_000), { state: 'due', inSeconds: 15 })
  assert.deepEqual(afterAttempt(1, failed(503, 1_000), 1_000), { state: 'dead', reason: 'given-up' })
  assert.deepEqual(afterAttempt(4, failed(500), 30), { state: 'dead', reason: 'given-up' })
  assert.deepEqual(afterAttempt(4, failed(500), 31), { state: 'due', inSeconds: 30 })

  const nowMs = Date.parse('2026-11-15T10:00:00Z')
  const readings = [
    ['7', 7],
    ['0', 0],
    ['Sun, 15 Nov 2026 10:01:30 GMT', 90],
    ['Sun, 15 Nov 2026 09:00:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['99999999999', undefined],
    ['2026-11-15', undefined],
    [undefined, undefined],
  ] as const
  for (const [text, seconds] of readings) assert.equal(readRetryAfter(text, nowMs), seconds, text)
})

test('the body matches the contract, and names operators only for a ported number', () => {
  const range = { organisation: 'ООО "One"', inn: '', region: 'Tver', city: '', isReserve: false }
  const body = (isPorted: boolean) =>
    webhookBody(123 as VerificationId, 'https://a.example/?b=1', '79071234567' as PhoneNumber, 70000100001, {
      version: 'test',
      covers: () => true,
      find: () => range,
      ported: () => (isPorted ? { owner: 'Two', mnc: '' } : undefined),
    })
  assert.equal(
    body(false),
    '{"callId":"123","callbackLink":"https://a.example/?b=1","clientNumber":"79071234567",' +
      '"confirmationNumber":"70000100001","isMnp":false,"operatorName":"","operatorNameMnp":"","regionName":"Tver"}',
  )
  assert.match(body(true), /"isMnp":true,"operatorName":"One","operatorNameMnp":"Two"/)
})

test('a signature verifies under either secret of a rotation, and under no other', () => {
  const [old, fresh, foreign] = [1, 2, 3].map((byte) => makeWebhookSecret(new Uint8Array(32).fill(byte)))
  assert(old && fresh && foreign)
  const at = new Date()
  const body = '{"callId":"1"}'
  const headers = signedHeaders([fresh, old], '1', at, body)
  for (const secret of [old, fresh]) assert.deepEqual(new Webhook(secret).verify(body, headers), { callId: '1' })
  assert.throws(() => new Webhook(foreign).verify(body, headers))
  assert.throws(
    () => new Webhook(old).verify(body, signedHeaders([fresh], '1', at, body)),
    'the old secret after the overlap',
  )
  const old301 = new Date(at.getTime() - 301_000)
  assert.throws(() => new Webhook(old).verify(body, signedHeaders([old], '1', old301, body)), /too old/)
})

test('one flipped bit anywhere fails the verification', () => {
  const secret = makeWebhookSecret(new Uint8Array(32).fill(7))
  const verifier = new Webhook(secret)
  const body = webhookBody(
    9 as VerificationId,
    'https://a.example/',
    '79071234567' as PhoneNumber,
    70000100001,
    emptyNumberingIndex,
  )
  const headers = signedHeaders([secret], '9', new Date(), body)
  assert(verifier.verify(body, headers))
  for (let bit = 0; bit < body.length * 8; bit++) {
    assert.throws(() => verifier.verify(flipped(body, bit), headers), `bit ${bit} of the body`)
  }
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const) {
    // The last base64 character of 32 bytes has two unused bits, and is still compared as text.
    for (let bit = 0; bit < headers[name].length * 8; bit++) {
      assert.throws(() => verifier.verify(body, { ...headers, [name]: flipped(headers[name], bit) }), `${name} ${bit}`)
    }
  }
})

test('a logged response shows no number, in whatever spelling, and keeps status codes', () => {
  const number = '79071234567'
  const answers = [
    [`unknown number ${number}`, 'unknown number ###########'],
    ['+7 (907) 123-45-67', '+# (###) ###-##-##'],
    ['٧٩٠٧١٢٣٤٥٦٧ ７９０７', '########### ####'],
    [`x ${Buffer.from(number).toString('base64')} y`, 'x … y'],
    [`x ${Buffer.from(number).toString('hex')} y`, 'x … y'],
    ['not found\r\n\0\u001b[31m', 'not found [31m'],
    ['<h1>503 Service Unavailable</h1>', '<h1>503 Service Unavailable</h1>'],
    ['{"code":42,"id":123456}', '{"code":42,"id":123456}'],
    ['{"id":1234567}', '{"id":#######}'],
    ['[7,9,0,7,1,2,3,4,5,6,7]', '[#,#,#,#,#,#,#,#,#,#,#]'],
    ['<html>misconfiguration', '<html>misconfiguration'],
    ['', ''],
  ] as const
  for (const [response, shown] of answers) assert.equal(redactResponse(Buffer.from(response)), shown)
  assert(!/\d/.test(redactResponse(Buffer.from(number, 'utf16le'))))
  assert(
    !/\d/.test(redactResponse(Buffer.from(`${'y '.repeat(96)}790 712 34567`))),
    'half a number is not shown either',
  )
  const cut = `${'y '.repeat(95)}${Buffer.from(number).toString('base64')}`
  assert.equal(redactResponse(Buffer.from(cut)), 'y '.repeat(95).trim(), 'half an encoding is not shown either')
})

function flipped(text: string, bit: number): string {
  const bytes = Buffer.from(text)
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return bytes.toString('latin1')
}
