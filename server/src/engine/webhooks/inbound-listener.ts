// Handles calls to our confirmation numbers. None is answered, so none costs the subscriber anything. Each rings for one
// second, because some carriers count a call that never rang as a fault, and is then rejected as busy. The caller cannot
// find out whether the call matched.
//
// First the caller ID is evaluated, then a pending inbound request is looked up; without one the number is never stored.
// Next the number goes into the vault, and only then is the request marked as matched: a vault name in the database always
// leads to a number, and a number without a vault name in the database expires.
//
// Over UDP the source address of a call can be forged. Where the trunk enforces the return path, such a call is matched only
// after its sender has acknowledged our 486; where the trunk only records it, the check is counted and changes nothing. A
// call over a wrong transport, or whose replies would go to another address, is rejected before it rings.

import type { Database } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import type { RoutingTable } from '../../db/trunks/routing-table.ts'
import type { CallBatches } from '../../db/verifications/call-batches.ts'
import { findInboundRequest } from '../../db/verifications/inbound-request.ts'
import type { Slot } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { subscriberHashes } from '../../domain/numbers/phone-number.ts'
import { carries, type Trunk } from '../../domain/trunks/trunk.ts'
import {
  type Assurance,
  assuranceOf,
  evaluateInboundCall,
  needsReturnPath,
  type UnmatchedReason,
} from '../../domain/verifications/inbound-call.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Events } from '../../process/metrics/events.ts'
import type { Traces } from '../../process/traces/traces.ts'
import type { InboundCall, Switch } from '../../telephony/switch.ts'
import type { NoteChange } from '../core/live-hints.ts'
import type { Vault } from '../core/vault.ts'
import type { ReturnPathCounts } from '../trunks/return-path-counts.ts'
import type { UnmatchedCounts } from '../trunks/unmatched-counts.ts'

type ListenerDeps = {
  readonly slots: SlotMap
  readonly batches: Pick<CallBatches, 'matchInbound'>
  readonly routing: () => Pick<RoutingTable, 'trunks' | 'ownedRanges' | 'confirmationNumbers'>
  readonly keys: { readonly phoneSubscriber: KeyRing }
  readonly vault: Vault
  readonly clock: Clock
  readonly events: Pick<Events, 'inboundCalled' | 'charged'>
  readonly traces?: Traces | undefined
  readonly noteChange: NoteChange
  readonly returnPaths: Pick<ReturnPathCounts, 'add'>
  readonly unmatched: Pick<UnmatchedCounts, 'add'>
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
      const handled = handle(deps, call).finally(() => {
        call.handled()
        calls.delete(handled)
      })
      calls.add(handled)
    }
    await Promise.all(calls)
  })()
  return { close: () => listening }
}

async function handle(deps: ListenerDeps, call: InboundCall): Promise<void> {
  const { clock } = deps
  const routing = deps.routing()
  const evaluated = evaluateInboundCall({ ...routing, ranges: routing.ownedRanges }, call)
  if (isRejectedAtOnce(evaluated.unmatched)) {
    call.reject(evaluated.unmatched === 'not-ours' ? 404 : 486)
    return conclude(deps, call, evaluated.unmatched)
  }
  const trunk = routing.trunks.find(({ name }) => name === call.trunk)
  const isChecked = trunk !== undefined && needsReturnPath(trunk)
  const isEnforced = isChecked && trunk.returnPath === 'enforce'
  // Counted from when the switch has accepted the ring command: a busy switch would otherwise hang up before it has rung.
  const rung = call.ring().then(() => clock.sleep(ringMs, AbortSignal.any([])))
  if (!isEnforced)
    conclude(
      deps,
      call,
      evaluated.unmatched ?? (await match(deps, evaluated, trunk, trunk && assuranceOf(trunk, false))),
    )
  await rung
  call.reject(486)
  if (!isChecked) return
  const isConfirmed = await call.isConfirmed
  deps.returnPaths.add(call.trunk, isConfirmed)
  if (!isEnforced) return
  const unmatched = evaluated.unmatched ?? (isConfirmed ? undefined : 'unconfirmed')
  conclude(deps, call, unmatched ?? (await match(deps, evaluated as Matchable, trunk, assuranceOf(trunk, true))))
}

function isRejectedAtOnce(reason: UnmatchedReason | undefined): reason is UnmatchedReason {
  return reason === 'not-ours' || reason === 'wrong-transport' || reason === 'foreign-via'
}

function conclude(
  { events, unmatched, log }: ListenerDeps,
  call: InboundCall,
  outcome: 'matched' | UnmatchedReason,
): void {
  events.inboundCalled(outcome)
  if (outcome !== 'matched') unmatched.add(call.trunk, outcome)
  log.info({ trunk: call.trunk, transport: call.transport ?? 'unknown', outcome }, 'inbound call received')
}

// A request waits where its account is. That is the database of its number, unless one of the two has moved since.
function databasesOf(slots: SlotMap, slot: Slot): ReadonlySet<Database> {
  return new Set([slots.databaseOf(slot), ...(slots.movedSlots().length > 0 ? slots.databases : [])])
}

type Matchable = Exclude<ReturnType<typeof evaluateInboundCall>, { unmatched: UnmatchedReason }>

async function match(
  deps: ListenerDeps,
  { caller, called, slot }: Matchable,
  trunk: Trunk | undefined,
  assurance: Assurance | undefined,
): Promise<'matched' | UnmatchedReason> {
  const { slots, batches, keys, vault, clock, events, traces, noteChange, log } = deps
  const startedMs = clock.monotonicMs()
  try {
    // Virtual phones call over the test trunk, and only they.
    if (!trunk || !carries(trunk, caller)) return 'no-request'
    const hashes = subscriberHashes(keys.phoneSubscriber, caller)
    let request: Awaited<ReturnType<typeof findInboundRequest>>
    for (const database of databasesOf(slots, slot)) {
      const found = await findInboundRequest(database, called, hashes, trunk.isTest)
      if (!request || found?.isOpen) request = found
      if (request?.isOpen) break
    }
    if (!request?.isOpen) return request?.isOver ? 'expired' : 'no-request'
    // Without a webhook nobody reads the number again.
    const vaultName = request.hasWebhook ? await vault.put(caller) : ''
    const foundMs = clock.monotonicMs()
    if (!(await batches.matchInbound({ id: request.id, vaultName, ...(assurance && { assurance }) })))
      return 'no-request'
    events.charged('inbound', request.price)
    traces?.record(request.id, { name: 'inbound call', startedMs, attributes: { trunk: trunk.name } })
    traces?.record(request.id, { name: 'charge', startedMs: foundMs, attributes: { outcome: 'captured' } })
    noteChange(request.accountId, 'verifications', 'phones')
    return 'matched'
  } catch (error) {
    log.error({ err: error }, 'inbound call match failed')
    return 'failed'
  }
}
