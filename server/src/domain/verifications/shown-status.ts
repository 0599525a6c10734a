// A verification as people see it: its status, and whose fault a failure is.

import type { shownStatuses, sides } from '@ringproof/contract/lists/calls.ts'
import { explain } from './call-explanation.ts'
import type { VerificationState } from './verification.ts'

type ShownStatus = (typeof shownStatuses)[number]
type Side = (typeof sides)[number]

type State = {
  readonly mode: string
  readonly state: VerificationState
  readonly rangAt: Date | null
}

export function statusOf({ mode, state, rangAt }: State): ShownStatus {
  if (state === 'succeeded' || state === 'failed') return state
  if (mode === 'inbound') return 'waiting'
  return rangAt === null ? 'checking' : 'ringing'
}

export const sideNames = {
  subscriber: 'the subscriber',
  carrier: 'the carrier',
  operator: 'the operator',
} as const satisfies Readonly<Record<Side, string>>

// Null: nobody, or it is not over.
export function sideOf({ reason, sipStatus }: { readonly reason: string | null; readonly sipStatus: number | null }) {
  const atFault = reason === null ? undefined : explain(reason, sipStatus)?.atFault
  return (Object.keys(sideNames) as Side[]).find((side) => sideNames[side] === atFault) ?? null
}
