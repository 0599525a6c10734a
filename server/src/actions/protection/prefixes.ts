// Lets calls to a blocked range or country through: for an hour, after which the rules decide anew, or for good. Of the rules that
// refuse ranges, only the cap that a service has set for itself still holds.

import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { deleteAllowedPrefix, putAllowedPrefix } from '../../db/protection/allowed-prefix.ts'
import { readHitPrefixes } from '../../db/protection/fraud-hit.ts'
import { closeBreaker } from '../../db/protection/prefix-breaker.ts'
import { type KeyRing, nonceBytes, seal, unseal } from '../../domain/crypto/sealing.ts'
import type { BreakerScope } from '../../domain/protection/prefix-gate.ts'
import { parseText } from '../../domain/values/text.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

type Command = { readonly scope: BreakerScope; readonly isForGood: boolean; readonly reason: string }

const unblockHours = 1

// Returns until when; null: for good.
export async function unblockPrefix(
  deps: Deps,
  actor: Actor,
  { scope, isForGood, reason: text }: Command,
): Promise<Date | null> {
  if (!/^(\d{1,15}|[A-Z]{2})$/.test(scope))
    throw new UsageError(`${scope} is no range or country. \`ringproof fraud show\` shows those that are blocked.`)
  const reason = parseText(text, 1, 200)
  if (reason === undefined) throw new UsageError('--reason takes 1 to 200 characters: why calls are let through.')
  const name = (await namePrefixes(deps, [scope])).get(scope)
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const { before, until } = await putAllowedPrefix(session, {
      scope,
      hours: isForGood ? null : unblockHours,
      reason,
      prefixSealed:
        name === undefined
          ? null
          : seal(deps.recordKeys, 'allowed-prefix', Number(scope), name, deps.randomBytes(nonceBytes)),
    })
    await closeBreaker(session, scope)
    const allowed = (end: Date | null | undefined) => (end === undefined ? 'no' : (end ?? 'for good'))
    // The digest only: with the masks of verifications, the digits of a range would reveal numbers.
    const details = { scope, reason, before: { allowed: allowed(before) }, after: { allowed: allowed(until) } }
    const action = isForGood ? 'range allowed' : 'range unblocked'
    await logAction(session, actor, { accountId: null, action, details })
    return until
  })
}

// The rules decide about the range or country again, within a second. False if it was not allowed.
export async function endPrefixAllowance(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  { scope }: { readonly scope: BreakerScope },
): Promise<boolean> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const known = await deleteAllowedPrefix(session, scope)
    if (!known) return false
    const details = { scope, before: { allowed: known.until ?? 'for good' }, after: { allowed: 'no' } }
    await logAction(session, actor, { accountId: null, action: 'range no longer allowed', details })
    return true
  })
}

// The digits of ranges, by their digests, as far as a call to them was refused of late: only refusals keep them, sealed.
export async function namePrefixes(
  { slots, recordKeys }: { readonly slots: SlotMap; readonly recordKeys: KeyRing },
  scopes: readonly BreakerScope[],
): Promise<ReadonlyMap<BreakerScope, string>> {
  const prefixes = scopes.filter((scope) => /^\d+$/.test(scope)).map(Number)
  if (prefixes.length === 0) return new Map()
  const found = await Promise.all(slots.databases.map((database) => readHitPrefixes(database, prefixes)))
  return new Map(
    found
      .flat()
      .map(({ prefix, serviceId, sealed }) => [String(prefix), unseal(recordKeys, 'fraud-prefix', serviceId, sealed)]),
  )
}
