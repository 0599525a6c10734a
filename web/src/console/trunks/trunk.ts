import type { WebOutput } from '@ringproof/contract/web/api.ts'

export type TrunksPage = WebOutput<'trunks'>
export type ShownTrunk = TrunksPage['trunks'][number]

// Health changes by itself, and nothing announces it.
export const healthMs = 2_000

const ranks = ['down', 'degraded', 'draining', 'disabled', 'healthy']

export function worstFirst(trunks: readonly ShownTrunk[]): readonly ShownTrunk[] {
  return trunks.toSorted((one, other) => ranks.indexOf(one.health.state) - ranks.indexOf(other.health.state))
}

export function isBad({ health }: ShownTrunk): boolean {
  return health.state === 'down' || health.state === 'degraded'
}

export function shareRung({ calls }: ShownTrunk): number | undefined {
  return calls.dialled === 0 ? undefined : calls.rang / calls.dialled
}
