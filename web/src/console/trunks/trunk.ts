import type { TrunkState } from '@ringproof/contract/lists/trunks.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'

export type TrunksPage = WebOutput<'trunks'>
export type ShownTrunk = TrunksPage['trunks'][number]

// Health changes by itself, and nothing announces it.
export const healthMs = 2_000

const rank: Readonly<Record<TrunkState, number>> = { down: 0, degraded: 1, draining: 2, disabled: 3, healthy: 4 }

export function worstFirst(trunks: readonly ShownTrunk[]): readonly ShownTrunk[] {
  return trunks.toSorted((one, other) => rank[one.health.state] - rank[other.health.state])
}

export function isBad({ health }: ShownTrunk): boolean {
  return health.state === 'down' || health.state === 'degraded'
}

export function shareRung({ calls }: ShownTrunk): number | undefined {
  return calls.dialled === 0 ? undefined : calls.rang / calls.dialled
}
