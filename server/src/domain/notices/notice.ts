// Notices: what we write to the people of an account unasked, and who of them reads it.

import type { noticeChannels, noticeKinds } from '@ringproof/contract/lists/people.ts'
import { type MemberRole, memberRoles, membersWith } from '@ringproof/contract/web/access.ts'
import type { AccountId } from '../core/slot.ts'
import { type MicroAmount, toDecimal } from '../money/money.ts'

export type NoticeKind = (typeof noticeKinds)[number]
export type NoticeChannel = (typeof noticeChannels)[number]

// Who can do something about it. A new sign-in is written only to the person who signed in.
export const readersOf: Readonly<Record<NoticeKind, readonly MemberRole[]>> = {
  'low-balance': membersWith('pay'),
  'failure-spike': membersWith('build'),
  'webhook-failing': membersWith('build'),
  'key-unused': membersWith('build'),
  'new-sign-in': memberRoles,
}

export type Notice = {
  readonly accountId: AccountId
  readonly kind: NoticeKind
  readonly details: Readonly<Record<string, string | number>>
}

// A sign-in concerns a person, so the account's receiver does not get it.
export function isForWebhook(kind: NoticeKind): boolean {
  return kind !== 'new-sign-in'
}

// Of several of a kind in an account the subject names one.
export type NoticeCondition = Notice & { readonly subject: string }

// What the account's receiver gets; amounts are in the currency of the installation.
export function noticeBody({
  accountId,
  kind,
  details,
}: Omit<Notice, 'kind'> & { readonly kind: NoticeKind | 'test' }): string {
  const { balance, ...rest } = details
  const amounts = balance === undefined ? {} : { balance: toDecimal(Number(balance) as MicroAmount) }
  return JSON.stringify({ type: 'notice', kind, account_id: accountId, details: { ...rest, ...amounts } })
}

// After this many failed attempts a message is given up.
export const noticeAttemptsMax = 6

// 1, 2, 4, 8, 16 minutes.
export function noticeRetrySeconds(attempts: number): number {
  return 60 * 2 ** (attempts - 1)
}
