import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { ShellWords } from '../../words/words.ts'
import type { Status } from '../charts/Ring.tsx'

export type PhoneCall = WebOutput<'phones'>['calls'][number]

const chips: Readonly<Record<PhoneCall['state'], Status>> = {
  accepted: 'checking',
  ringing: 'ringing',
  talking: 'checking',
  waiting: 'waiting',
  succeeded: 'succeeded',
  failed: 'failed',
}

export function statusOf({ state }: PhoneCall): Status {
  return chips[state]
}

export function isOpen({ state }: PhoneCall): boolean {
  return state !== 'succeeded' && state !== 'failed'
}

const byStatus: Readonly<Record<number, keyof ShellWords['outcomes']>> = { 404: 'absent', 480: 'off', 486: 'busy' }

// Cause, side, what to do and whether it cost.
export function outcomeSentence({ mode, reason, sipStatus, state }: PhoneCall, { outcomes }: ShellWords): string {
  if (mode === 'inbound') return state === 'succeeded' ? outcomes.matched : outcomes.expired
  const sentences: Readonly<Record<string, string>> = outcomes
  const known = state === 'failed' && sipStatus !== null ? byStatus[sipStatus] : undefined
  if (known !== undefined) return outcomes[known]
  return sentences[reason ?? (state === 'succeeded' ? 'rang' : 'unknown')] ?? outcomes.unknown
}
