import { kept } from '../../words/kept.ts'
import { counted } from '../../words/plural.ts'

const number = (count: number) => count.toLocaleString('en-GB')
const requests = (count: number) => counted('en', count, { one: 'request', other: 'requests' })

const methodName = (method: string) => (method === 'unknown' ? 'unknown method' : method)

export const words = {
  title: 'API log',
  lead: 'Every request to the API: what was sent, what was returned, and what to do about it.',
  waiting: 'Waiting for the first request…',
  waitingText: 'It appears here by itself, as soon as your program has sent it.',
  waitingAct: 'Show me a request to send',

  quiet: 'No requests.',
  allServed: (all: number) => `${requests(all)}, none was refused.`,
  someRefused: (refused: number, all: number) =>
    `${number(refused)} of ${requests(all)} ${refused === 1 ? 'was' : 'were'} refused.`,
  byUs: (count: number) => (count === 0 ? 'None was our fault.' : `${number(count)} by our fault.`),
  leads: {
    '1h': 'Last hour. A refused request makes no call and costs nothing.',
    '24h': 'Last 24 hours. A refused request makes no call and costs nothing.',
    '7d': 'Last 7 days. A refused request makes no call and costs nothing.',
  },
  period: 'Period',
  periods: { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days' },

  load: 'Requests over time',
  chart: (all: number, refused: number) => `${requests(all)} over time, ${number(refused)} refused`,
  column: (served: number, refused: number) => `${number(served)} accepted, ${number(refused)} refused`,
  served: 'accepted',
  refused: 'refused',
  per: (minutes: number) =>
    minutes === 30 ? 'per half hour' : minutes < 60 ? `per ${minutes} minutes` : `per ${minutes / 60} hours`,
  p50: 'median, at our end',
  p95: 'slowest 5%',

  groups: 'Refused, grouped',
  groupsNote: 'By reason and method, with the fix beside it.',
  last: (at: string) => `last ${at}`,
  howToFix: 'How to fix it',
  openSetting: 'Open the setting',
  show: (count: number) => `Show ${number(count)}`,

  requests: 'Requests',
  find: 'Paste an X-Request-Id',
  notAnId: 'An X-Request-Id has 36 characters: digits, letters a to f, and hyphens.',
  anyMethod: 'Every method',
  anyService: 'Every service',
  service: 'Service',
  onlyCode: (code: string) => `Only code ${code}`,
  clear: 'Clear',
  results: { all: 'All', ok: 'Accepted', refused: 'Refused', ours: 'Our fault' },
  nothing: 'No request matches these filters.',
  time: 'Time',
  method: 'Method',
  methodNames: methodName,
  result: 'Result',
  about: 'Verification, or why it was refused',
  from: 'From',
  id: 'Request ID',
  took: 'Took',
  older: 'Older',
  kept: `Kept for ${kept.en.apiRequests}. Every refusal is here; of very many accepted requests, a sample.`,

  servedIn: (time: string) => `Accepted in ${time}.`,
  curl: 'Copy as curl',
  copyId: 'Copy request ID',
  request: 'Request',
  response: 'Response',
  responseWith: (status: number) => `Response, HTTP ${status}`,
  auth: 'Key in',
  schemes: { header: 'the header', query: 'the query', body: 'the body' },
  agent: 'Program',
  unreadable: 'The body could not be read and is not kept.',
  otherFields: (count: number) =>
    `${counted('en', count, { one: 'field is', other: 'fields are' })} not part of the API and not shown.`,
  masked: 'Numbers are masked, the key is not stored.',

  allRequests: 'All requests',
  requestNamed: (id: string) => `Request ${id}`,
  like: 'Others of its kind',
  missing: 'No such request here',
  missingText: `The account has no request with this ID, it is older than ${kept.en.apiRequests}, or it is not in the sample.`,
}
