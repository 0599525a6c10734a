import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bad } from '../../server/src/domain/installation/finding.ts'
import {
  findingsToShare,
  settingsToShare,
  withoutPersonalData,
} from '../../server/src/domain/installation/support-bundle.ts'

test('e-mails, keys and phone numbers are hidden in every spelling', () => {
  const key = `rp${'a1B2c3'.repeat(5)}`
  for (const text of [
    'anna@example.org',
    'smtps://anna%40example.org:***@mail',
    '79070000123',
    '+7 (907) 000-01-23',
    '9070000123',
    key,
  ]) {
    const shared = JSON.stringify(withoutPersonalData({ a: [`x ${text}.`], [text]: 1 }))
    for (const part of ['anna', '0123', '01-23', key]) assert(!shared.includes(part), shared)
  }
})

test('ports, addresses, times and counts stay', () => {
  const kept = {
    ports: '10000-19999',
    address: '192.0.2.10:5060',
    at: '2026-11-17T04:00:00.000Z',
    sum: 12_345_678_901,
    database: 'postgres://ringproof:***@127.0.0.1:5432/ringproof',
    cause: 'All 10000 codes have a number.',
    none: null,
  }
  assert.deepEqual(withoutPersonalData(kept), kept)
})

test("an operator's reason for a stop and other people's servers are left out", () => {
  const stopped = bad('trunks', '', 'All trunks are stopped: Anna has called.', 'ringproof trunks resume-all')
  assert.equal(findingsToShare([stopped])[0]?.cause, 'All trunks are stopped.')
  const settings = new Map([
    ['RINGPROOF_WEBHOOK_ALLOW', '192.0.2.7'],
    ['RINGPROOF_MAIL_FROM', 'Anna <a@localhost>'],
    ['RINGPROOF_HTTP_PORT', '80'],
  ])
  assert.deepEqual(settingsToShare(settings), {
    RINGPROOF_WEBHOOK_ALLOW: '***',
    RINGPROOF_MAIL_FROM: '***',
    RINGPROOF_HTTP_PORT: '80',
  })
})
