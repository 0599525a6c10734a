// Cause, side, what to do, and whether it cost: the sentence that a detail page opens with.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { words as en } from '../../dashboard/verifications/verification-words.en.ts'

type Words = typeof en
type Shown = WebOutput<'verification'>
type Explained = Pick<Shown, 'status' | 'reason' | 'sipStatus' | 'atFault'>
type Costly = Pick<Shown, 'status' | 'isTest' | 'price' | 'charged' | 'firstId'>

export function explanationOf(
  { status, reason, sipStatus, atFault }: Explained,
  words: Words,
): { readonly title: string; readonly side: string; readonly advice: string } {
  if (status !== 'succeeded' && status !== 'failed') {
    const { title, text } = words.open[status]
    return { title, side: '', advice: text }
  }
  const refusal = reason === 'refused' && sipStatus !== null ? words.refusals[sipStatus] : undefined
  const { title, advice } = refusal ?? words.reasons[reason ?? ''] ?? unknown(status, words)
  return { title, side: atFault === null ? '' : words.sides[atFault], advice }
}

// A reason that a newer version has written.
function unknown(status: 'succeeded' | 'failed', words: Words) {
  const known = status === 'succeeded' ? words.reasons['rang'] : words.reasons['refused']
  if (known === undefined) throw new RangeError('the words have no such reason')
  return known
}

export function costSentence(
  { status, isTest, price, charged, firstId }: Costly,
  { cost }: Words,
  money: (amount: number) => string,
): string {
  if (isTest) return cost.test
  if (firstId !== null && price === 0) return cost.free
  if (status !== 'succeeded' && status !== 'failed') return cost.held(money(price))
  return charged > 0 ? cost.captured(money(charged)) : cost.released
}
