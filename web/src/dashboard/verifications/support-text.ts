// What an operator needs to look at a verification. No number, no code, no text of the customer about a person. In English,
// whatever the language of the page.

import type { Shown } from './shown.ts'

// Without a currency no calls are sold.
export function supportText(shown: Shown, currency: string | undefined): string {
  const time = (ms: number | null) => (ms === null ? 'no' : new Date(ms).toISOString())
  const lines: readonly (readonly [string, string | number])[] = [
    ['verification', shown.id],
    ['service', shown.serviceId],
    ['mode', shown.mode + (shown.isTest ? ', test' : '')],
    ['country', shown.country],
    ['provider', shown.provider || 'unknown'],
    ['status', shown.status],
    ['outcome', shown.reason ?? 'none yet'],
    ['SIP status', shown.sipStatus ?? 'none'],
    ['attempt', shown.attempt],
    ['accepted', time(shown.acceptedAt)],
    ['dialled', time(shown.dialledAt)],
    ['rang', time(shown.rangAt)],
    ['ended', time(shown.endedAt)],
    ['ended by', shown.endedBy ?? 'unknown'],
    ...(shown.assurance === null ? [] : [['origin proved by', shown.assurance] as const]),
    ...(currency === undefined ? [] : [['charged', `${shown.charged} ${currency}`] as const]),
  ]
  return lines.map(([name, value]) => `${name}: ${value}`).join('\n')
}
