// One example of each request and response of the Verify API, used by OpenAPI and tests.

const id = 'ver_03zq8x1m4ck'
const money = { amount: '0.80', currency: 'XXX' }

const pending = {
  id,
  object: 'verification',
  status: 'pending',
  phone: '+7900***0001',
  country: 'RU',
  locale: 'ru',
  code_length: 4,
  checks_left: 3,
  calls: [{ channel: 'flash', status: 'starting', started_at: '2026-11-18T17:20:05.123Z', cost: money }],
  channels_left: ['voice', 'inbound'],
  created_at: '2026-11-18T17:20:05.123Z',
  expires_at: '2026-11-18T17:30:05.123Z',
  is_test: false,
  cost: money,
  reference: 'session-5f1c',
  metadata: {},
}

export const verifyExamples = {
  start: { phone: '+79000000001', channels: ['flash', 'voice', 'inbound'], reference: 'session-5f1c' },
  started: { verification: pending, client_token: 'ct_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
  verification: pending,
  check: { code: '0417' },
  approved: {
    ...pending,
    status: 'approved',
    calls: [{ ...pending.calls[0], status: 'reached', reason: 'rang', ended_at: '2026-11-18T17:20:12.480Z' }],
    approved_by: 'code',
    ended_at: '2026-11-18T17:20:21.007Z',
  },
  next: { after_calls: 1 },
} as const
