// Everything that is kept for a time, and for how long. `npm run generate` writes from this table what SQL functions read (rules.sql),
// the periods on the pages (web/src/words/kept.ts), the table of docs/operations/privacy.md, and the periods in sentences of
// documentation and settings (scripts/generate/sentences.ts). Letters and commands import it.

import { repeatMinutes, verificationDaysDefault } from '@ringproof/contract/limits.ts'
import { days, hours, minutes, type Period, seconds } from './period.ts'

type Kept = {
  readonly kept: Period
  // Tables, or what it is if it is not in PostgreSQL.
  readonly in: readonly string[]
  // From when on it is kept so long, unless from when it was written.
  readonly since?: string
  // An operator sets another period with it, in days.
  readonly setting?: string
}

// No setting makes it shorter: a keeper with a wrong setting must not delete yesterday.
export const keptDaysMin = 7

export const retention = {
  verifications: {
    kept: days(verificationDaysDefault),
    in: ['verifications', 'ladders', 'idempotency_keys', 'webhooks', 'webhook_attempts'],
    setting: 'RINGPROOF_VERIFICATION_DAYS',
  },
  // Sums by day are kept for ever.
  ledger: { kept: days(30), in: ['ledger'], setting: 'RINGPROOF_LEDGER_DAYS' },
  // Thirteen months: the same month of the year before can be compared.
  callCounts: { kept: days(396), in: ['call_hours', 'network_hours'], since: 'the verifications are deleted' },
  apiRequests: { kept: days(7), in: ['api_requests', 'api_request_counts'] },
  sipMessages: { kept: hours(72), in: ['sip_messages'] },
  // The window of the limits is a day. The rest is for a clock that is a day ahead, and a margin.
  numbers: { kept: hours(58), in: ['subscriber_numbers'], since: 'the last call' },
  // A key under which these numbers are hashed may be destroyed when no limit looks back to it.
  subscriberKeys: {
    kept: hours(35),
    in: ['an old key of `phone-subscriber`, at least'],
    since: 'the next key is active',
  },
  inboundRequests: { kept: minutes(10), in: ['inbound_requests'], since: 'the request is over' },
  // Longer than an inbound request lives, and until every process has read the change.
  removedNumbers: { kept: minutes(10), in: ['confirmation_numbers'], since: 'the number is removed' },
  unmatchedCalls: { kept: days(30), in: ['unmatched_calls'] },
  // Of a subscriber who has called: until the webhook is delivered, at most so long.
  callerNumbers: { kept: minutes(30), in: ['the vault in NATS'], since: 'the call' },
  // Only for services that have repeats on.
  repeatNumbers: { kept: minutes(repeatMinutes), in: ['the repeats in NATS'], since: 'the call is accepted' },
  // Longer than a verification of /v2 can last.
  ladderNumbers: { kept: minutes(11), in: ['the verifications in NATS'], since: 'the verification is started' },
  // Longer than the start deadline: an older message would not be dialled anyway.
  callOrders: { kept: seconds(60), in: ['the call queue in NATS'] },
  fraudHits: { kept: days(7), in: ['fraud_hits'] },
  // A week is shown, and its first hour counts as a whole.
  fraudRuleHours: { kept: days(8), in: ['fraud_rule_hours'] },
  prefixUsage: { kept: hours(2), in: ['prefix_usage'] },
  prefixMinutes: { kept: minutes(30), in: ['prefix_minutes'] },
  // Then a prefix is compared with its country again.
  prefixBreakers: { kept: days(30), in: ['prefix_breakers'], since: 'the last call to a prefix that is not paused' },
  routeMinutes: { kept: hours(1), in: ['route_minutes'] },
  routeUsuals: { kept: days(30), in: ['route_usuals'], since: 'the last call' },
  switchOvers: { kept: days(90), in: ['switch_overs'], since: 'the end' },
  trunkTests: { kept: days(7), in: ['trunk_tests'] },
  // Those that may be used for so long: of operators, or when idle, a session ends sooner (people/session.ts).
  sessions: { kept: days(30), in: ['web_sessions'], since: 'signing in' },
  knownBrowsers: { kept: days(180), in: ['a cookie'], since: 'signing in' },
  oneTimeLinks: { kept: days(1), in: ['one_time_links'], since: 'the link has expired' },
  signInFailures: { kept: days(30), in: ['sign_in_failures'], since: 'the last failure' },
  // Anybody can make as many rows as there are e-mails. Four attempts in two days are fewer than ninety-nine in thirty.
  fewSignInFailures: { kept: days(2), in: ['sign_in_failures with fewer than five'], since: 'the last failure' },
  // A condition that comes back sooner is not announced again.
  noticeConditions: { kept: hours(1), in: ['notice_conditions'], since: 'the condition last held' },
} as const satisfies Readonly<Record<string, Kept>>

export type RetentionName = keyof typeof retention
