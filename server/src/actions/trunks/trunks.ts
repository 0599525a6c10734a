import { listServices, lockService, setService } from '../../db/accounts/service.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readTrunkStop, type TrunkStop } from '../../db/protection/trunk-stop.ts'
import {
  countNumbers,
  deleteTrunk,
  insertTrunk,
  putTrunk,
  readCallerRanges,
  readTrunks,
} from '../../db/trunks/trunk.ts'
import {
  forgetReturnPathCounts,
  readReturnPathCounts,
  readTrunkStates,
  type TrunkStateRow,
} from '../../db/trunks/trunk-state.ts'
import { type ModeInsteadOfFlash, parseProviderMode, withProviderMode } from '../../domain/accounts/provider-modes.ts'
import { serviceSettings } from '../../domain/accounts/service.ts'
import { type AccountId, type ServiceId, slotOfAccount } from '../../domain/core/slot.ts'
import { type KeyRing, nonceBytes } from '../../domain/crypto/sealing.ts'
import { sealTrunkPassword, type Trunk } from '../../domain/trunks/trunk.ts'
import { fieldChanges } from '../../domain/values/field-changes.ts'
import { Denial, UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

// Takes calls within a second, once it has caller numbers.
export async function addTrunk(deps: Pick<Deps, 'slots'>, actor: Actor, trunk: Trunk): Promise<void> {
  assertTrunkIsWhole(trunk)
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    assertOneTestTrunk(trunk, await readTrunks(session))
    if (!(await insertTrunk(session, trunk)))
      throw new UsageError(`Trunk ${trunk.name} already exists. Change it with \`ringproof trunks set\`.`)
    await logAction(session, actor, { accountId: null, action: 'trunk added', details: withoutPassword(trunk) })
  })
}

// Checks options that depend on each other.
function assertTrunkIsWhole(trunk: Trunk): void {
  if (trunk.outboundRegistration && (trunk.user === null || trunk.passwordSealed === null)) {
    throw new UsageError('--register on needs --user and --password-file.')
  }
  if (trunk.srtp && trunk.transport !== 'tls') {
    throw new UsageError('--srtp on needs --transport tls: otherwise the SRTP key would be sent unencrypted.')
  }
  if (trunk.fromUser !== null && trunk.callerIdHeader === 'from') {
    throw new UsageError('With --from-user the caller ID needs its own header: --caller-id-header pai or rpid.')
  }
}

// A second one would carry calls that the first was added for; an index in the database holds the same.
function assertOneTestTrunk(trunk: Trunk, known: readonly Trunk[]): void {
  const other = trunk.isTest ? known.find(({ isTest, name }) => isTest && name !== trunk.name) : undefined
  if (other) throw new UsageError(`Trunk ${other.name} is the test trunk already. Set --test off on it first.`)
}

// For the action log.
function withoutPassword(trunk: Trunk): Record<string, unknown> {
  return { ...trunk, passwordSealed: undefined }
}

export type ListedTrunk = Trunk & {
  readonly callerNumbers: number
  readonly states: readonly TrunkStateRow[]
  // Inbound UDP calls since the trunk started to record the return path.
  readonly confirmedCalls: number
  readonly unconfirmedCalls: number
}

type ListedTrunks = { readonly trunks: readonly ListedTrunk[]; readonly stop: TrunkStop | undefined }

// In the order in which they are tried, with the kill switch.
export async function listTrunks({ slots }: Pick<Deps, 'slots'>): Promise<ListedTrunks> {
  const [stop, trunks, ranges, states, counts] = await Promise.all([
    readTrunkStop(slots.globalDatabase),
    readTrunks(slots.globalDatabase),
    readCallerRanges(slots.globalDatabase),
    readTrunkStates(slots.globalDatabase),
    readReturnPathCounts(slots.globalDatabase),
  ])
  const listed = trunks.map((trunk) => ({
    ...trunk,
    callerNumbers: ranges
      .filter((range) => range.trunk === trunk.name)
      .reduce((sum, { first, last }) => sum + last - first + 1, 0),
    states: states.filter((state) => state.trunk === trunk.name),
    confirmedCalls: counts.find((count) => count.trunk === trunk.name)?.confirmed ?? 0,
    unconfirmedCalls: counts.find((count) => count.trunk === trunk.name)?.unconfirmed ?? 0,
  }))
  return { trunks: listed, stop }
}

type Command = { readonly name: string; readonly changes: Partial<Trunk>; readonly password: string | undefined }

// Takes effect on every node within a second. Calls in progress are not affected.
export async function setTrunk(deps: Deps, actor: Actor, { name, changes, password }: Command): Promise<Trunk> {
  return inTransaction(deps.slots.globalDatabase, async (session) => {
    const trunks = await readTrunks(session)
    const known = trunks.find((trunk) => trunk.name === name)
    if (!known) throw new UsageError(`Trunk ${name} does not exist. \`ringproof trunks list\` shows all trunks.`)
    const passwordSealed =
      password === undefined
        ? known.passwordSealed
        : sealTrunkPassword(deps.recordKeys, name, password, deps.randomBytes(nonceBytes))
    const trunk = { ...known, ...changes, passwordSealed }
    assertTrunkIsWhole(trunk)
    assertOneTestTrunk(trunk, trunks)
    await putTrunk(session, trunk)
    // Otherwise the old counts would make it enforce again at once.
    if (changes.returnPath === 'record') await forgetReturnPathCounts(session, name)
    await logAction(session, actor, { accountId: null, action: 'trunk set', details: changeOf(known, trunk) })
    return trunk
  })
}

// A new password is logged as such, without a trace of either.
function changeOf(known: Trunk, trunk: Trunk): Readonly<Record<string, unknown>> {
  const isNewPassword = trunk.passwordSealed !== known.passwordSealed
  const changes = fieldChanges(withoutPassword(known), withoutPassword(trunk))
  return { name: trunk.name, ...changes, ...(isNewPassword ? { password: 'changed' } : {}) }
}

type RemoveTrunkCommand = { readonly name: string; readonly withNumbers: boolean }

// Removes the trunk's numbers too, but only with --with-numbers.
export async function removeTrunk(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  { name, withNumbers }: RemoveTrunkCommand,
): Promise<void> {
  await inTransaction(deps.slots.globalDatabase, async (session) => {
    const numbers = await countNumbers(session, name)
    if (numbers > 0 && !withNumbers) {
      throw new UsageError(`Trunk ${name} has ${numbers} numbers. To remove them too, add --with-numbers.`)
    }
    if (!(await deleteTrunk(session, name)))
      throw new UsageError(`Trunk ${name} does not exist. \`ringproof trunks list\` shows all trunks.`)
    await logAction(session, actor, { accountId: null, action: 'trunk removed', details: { name, numbers } })
  })
}

// Places the flash calls of an account to one provider in another mode, or again as requested. It applies to its live services, or
// to one of them.

type ProviderModeCommand = {
  readonly accountId: AccountId
  readonly serviceId?: ServiceId | undefined
  readonly provider: string
  // Undefined: as requested.
  readonly mode: ModeInsteadOfFlash | undefined
}

// The services that were changed.
export async function setProviderMode(
  { slots }: Pick<Deps, 'slots'>,
  actor: Actor,
  { accountId, serviceId, provider, mode }: ProviderModeCommand,
): Promise<readonly ServiceId[]> {
  if (parseProviderMode(`${provider}=${mode ?? 'voice'}`)?.provider !== provider)
    throw new Denial('invalid', ['provider'])
  return inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const changed: ServiceId[] = []
    for (const { id } of await listServices(session, accountId)) {
      const { isTest, settings } = await lockService(session, id)
      const isMeant = serviceId === undefined ? !isTest && settings.state !== 'archived' : id === serviceId
      const rules = settings['provider-modes'] as readonly string[]
      const next = withProviderMode(rules, provider, mode)
      const { show } = serviceSettings['provider-modes']
      if (!isMeant || show(next) === show(rules)) continue
      await setService(session, id, new Map([['provider-modes', next]]))
      const changes = { 'provider-modes': [show(rules), show(next)] }
      await logAction(session, actor, { accountId, action: 'service changed', details: { service: id, changes } })
      changed.push(id)
    }
    return changed
  })
}
