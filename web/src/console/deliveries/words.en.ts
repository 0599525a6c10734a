import { kept } from '../../words/kept.ts'
import { counted } from '../../words/plural.ts'

const webhooks = (count: number) => counted('en', count, { one: 'webhook', other: 'webhooks' })

export const words = {
  allWell: 'Webhooks arrive',
  trouble: (count: number) => counted('en', count, { one: 'host takes no webhooks', other: 'hosts take no webhooks' }),
  lead: (count: number) => (count === 0 ? 'None waits.' : `${webhooks(count)} wait for the next attempt.`),
  late: (seconds: string) => `The oldest has been due for ${seconds} s.`,
  none: 'No webhooks in the last 24 hours',
  noneText: 'A webhook is sent for every inbound verification that succeeds.',

  hosts: 'Hosts',
  hostsLead: (count: string) => `Of the last 24 hours, at most the newest ${count} webhooks of each database.`,
  customers: (ids: string) => `customer ${ids}`,
  delivered: (delivered: string, all: string) => `${delivered} of ${all} delivered`,
  median: (ms: string) => `median ${ms}\u00a0ms`,
  waiting: (count: string) => `${count} waiting`,
  healthy: 'healthy',
  failingSince: (time: string) => `failing since ${time}`,
  responds: (status: number) => `it responds with ${status}`,
  recover: (count: number) => `Send ${count} again`,
  recovered: (count: number) => `${webhooks(count)} due again.`,

  failed: 'Failed',
  failedLead: `The newest 50. One can be sent again for as long as its number is kept, ${kept.en.callerNumbers} after the call.`,
  noneFailed: 'None failed in the last 24 hours.',
  tries: (count: number) => counted('en', count, { one: 'attempt', other: 'attempts' }),
  sendAgain: 'Send again',
  sent: 'The webhook is due again.',
  erased: 'number erased',
  reasons: { gone: 'the server said 410', 'given-up': 'all attempts failed', erased: 'the number was erased first' },
  failures: {
    'address-refused': 'the address is not public: refused before connecting',
    'address-busy': 'too many deliveries to this address',
    'too-slow': 'no response in 10 s',
    unreachable: 'not reachable',
  },
}
