// Hears calls to our numbers. None is answered, so none costs the subscriber anything: it rings for a second, because some
// carriers count what never rang as a fault, and is refused as busy. Whether it proved something is not to be heard by
// whoever calls.
//
// What the caller is worth is evaluated first, then whether anybody waits; the number of somebody nobody waits for is never
// stored. Then it goes into the vault, and only then is the wait proved: a name in the database always leads to a number, and
// a number that no name leads to is erased by itself.
//
// Over UDP the source address of a call is only written on the packet. Where the trunk enforces the return path, such a call
// is matched only after its sender has acknowledged our 486; where it records, that is counted and changes nothing. A call
// over a wrong transport, or whose replies would go elsewhere, is refused before it rings.

import type { Clock } from '../clock.ts'
import type { CallBatches } from '../db/call-batches.ts'
import { findInboundRequest } from '../db/inbound-request.ts'
import type { RoutingTable } from '../db/routing-table.ts'
import type { SlotMap } from '../db/slot-map.ts'
import { evaluateInboundCall, needsReturnPath, type UnmatchedReason } from '../domain/calls/inbound-call.ts'
import type { KeyRing } from '../domain/crypto/sealing.ts'
import { subscriberHashes } from '../domain/numbers/phone-number.ts'
import type { Events } from '../events.ts'
import type { Logger } from '../log.ts'
import type { InboundCall, Switch } from '../telephony/switch.ts'
import type { ReturnPathCounts } from './return-path-counts.ts'
import type { Vault } from './vault.ts'

export type ListenerDeps = {
  readonly slots: SlotMap
  readonly batches: Pick<CallBatches, 'matchInbound'>
  readonly routing: () => Pick<RoutingTable, 'trunks' | 'ranges' | 'confirmationNumbers'>
  readonly keys: { readonly phoneSubscriber: KeyRing }
  readonly vault: Vault
  readonly clock: Clock
  readonly events: Pick<Events, 'inboundCalled'>
  readonly returnPaths: Pick<ReturnPathCounts, 'add'>
  readonly log: Logger
}

const ringMs = 1_000

// Listens until the switch is closed.
export function startInboundListener(
  deps: ListenerDeps,
  { inbound }: Pick<Switch, 'inbound'>,
): { readonly close: () => Promise<void> } {
  const calls = new Set<Promise<void>>()
  const listening = (async () => {
    for await (const call of inbound) {
      const heard = hear(deps, call).finally(() => calls.delete(heard))
      calls.add(heard)
    }
    await Promise.all(calls)
  })()
  return { close: () => listening }
}

async function hear(deps: ListenerDeps, call: InboundCall): Promise<void> {
  const { clock } = deps
  const own = deps.routing()
  const evaluated = evaluateInboundCall(own, call)
  if (isRefusedAtOnce(evaluated.unmatched)) {
    call.reject(evaluated.unmatched === 'not-ours' ? 404 : 486)
    return conclude(deps, call, evaluated.unmatched)
  }
  const trunk = own.trunks.find(({ name }) => name === call.trunk)
  const isChecked = trunk !== undefined && needsReturnPath(trunk)
  const isEnforced = isChecked && trunk.returnPath === 'enforce'
  // Counted from when the switch has taken the order: a busy one would else be told to hang up before it has rung.
  const rung = call.ring().then(() => clock.sleep(ringMs, AbortSignal.any([])))
  if (!isEnforced) conclude(deps, call, evaluated.unmatched ?? (await match(deps, evaluated)))
  await rung
  call.reject(486)
  if (!isChecked) return
  const isConfirmed = await call.isConfirmed
  deps.returnPaths.add(call.trunk, isConfirmed)
  if (!isEnforced) return
  const unmatched = evaluated.unmatched ?? (isConfirmed ? undefined : 'unconfirmed')
  conclude(deps, call, unmatched ?? (await match(deps, evaluated as Matchable)))
}

function isRefusedAtOnce(reason: UnmatchedReason | undefined): reason is UnmatchedReason {
  return reason === 'not-ours' || reason === 'wrong-transport' || reason === 'foreign-via'
}

function conclude({ events, log }: ListenerDeps, call: InboundCall, outcome: 'matched' | UnmatchedReason): void {
  events.inboundCalled(outcome)
  log.info({ trunk: call.trunk, transport: call.transport ?? 'unknown', outcome }, 'a call came in')
}

type Matchable = Exclude<ReturnType<typeof evaluateInboundCall>, { unmatched: UnmatchedReason }>

async function match(deps: ListenerDeps, { caller, called, slot }: Matchable): Promise<'matched' | UnmatchedReason> {
  const { slots, batches, keys, vault, log } = deps
  try {
    const database = slots.databaseOf(slot)
    const wait = await findInboundRequest(database, called, subscriberHashes(keys.phoneSubscriber, caller))
    if (!wait?.isOpen) return wait?.isOver ? 'expired' : 'no-request'
    const vaultName = await vault.put(caller)
    return (await batches.matchInbound({ id: wait.id, vaultName })) ? 'matched' : 'no-request'
  } catch (error) {
    log.error({ err: error }, 'a call could not be matched')
    return 'failed'
  }
}
