import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sipFlowMessage, withSilences } from '../../web/src/parts/phone/sip-flow-rows.ts'

const message = (sinceMs: number, isSent: boolean, line: string, method = 'INVITE', attempt = 1) =>
  sipFlowMessage({ sinceMs, isSent, line, text: `${line}\nCSeq: 7 ${method}`, attempt, trunk: 'alfa' })

test('a refused attempt and a ringing one become arrows with silences between them', () => {
  const rows = withSilences([
    message(0, true, 'INVITE sip:7900***0001@x SIP/2.0'),
    message(60, false, 'SIP/2.0 503 No circuit'),
    message(80, true, 'INVITE sip:7900***0001@x SIP/2.0', 'INVITE', 2),
    message(100, false, 'SIP/2.0 100 Trying'),
    message(2_000, false, 'SIP/2.0 180 Ringing'),
    message(8_000, true, 'CANCEL sip:x SIP/2.0', 'CANCEL'),
    message(8_010, false, 'SIP/2.0 200 OK', 'CANCEL'),
    message(8_020, false, 'SIP/2.0 487 Request Terminated'),
  ])
  assert.deepEqual(
    rows.map((row) =>
      row.kind === 'message' ? `${row.from}>${row.to} ${row.tone} ${row.text}` : `${row.kind} ${row.lengthMs}`,
    ),
    [
      '1>2 plain INVITE alfa',
      '2>1 bad 503 No circuit',
      '1>2 plain INVITE alfa (2)',
      '2>1 plain 100 Trying',
      'silence 1900',
      '3>1 ring 180 Ringing',
      'ringing 6000',
      '1>2 plain CANCEL',
      '2>1 plain 200 OK',
      '2>1 good 487 Request Terminated',
    ],
  )
})
