import { hasBalances } from '../../db/accounts/account.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction, nameOf } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readSlotMoves, type SlotMove } from '../../db/core/slot-move.ts'
import {
  type Installation,
  readInstallation,
  readPurpose,
  writeInstallation,
  writePurpose,
} from '../../db/installation/installation.ts'
import { readTariffs } from '../../db/money/tariff.ts'
import type { User } from '../../db/people/user.ts'
import { readCallerRanges, readTrunks } from '../../db/trunks/trunk.ts'
import { hasRungBefore, hasRungLately } from '../../db/verifications/call-statistics.ts'
import { type Slot, slotsAll } from '../../domain/core/slot.ts'
import type { Finding } from '../../domain/installation/finding.ts'
import type { Purpose } from '../../domain/installation/purpose.ts'
import { evaluateSetup, type SetupFacts } from '../../domain/installation/setup.ts'
import { numbersIn } from '../../domain/trunks/caller-pool.ts'
import { Denial, UsageError } from '../../process/errors.ts'
import { logByPerson } from '../people/create-session.ts'

type Deps = {
  readonly slots: SlotMap
  readonly nowSeconds: () => number
}

export async function showInstallation({ slots }: Pick<Deps, 'slots'>): Promise<Installation> {
  return readInstallation(slots.globalDatabase)
}

export async function setInstallation(
  { slots }: Pick<Deps, 'slots'>,
  actor: Actor,
  by: Pick<User, 'email'>,
  installation: Installation,
): Promise<void> {
  await inTransaction(slots.globalDatabase, async (session) => {
    const before = await readInstallation(session)
    if (before.purpose === 'provider' && installation.purpose === 'own' && (await hasMoney(slots)))
      throw new Denial('conflict', ['purpose'])
    await writeInstallation(session, installation)
    const details = { before, after: installation }
    await logByPerson(session, actor, by, { accountId: null, action: 'installation settings changed', details })
  })
}

// From the command line.
export async function setPurpose({ slots }: Pick<Deps, 'slots'>, actor: Actor, purpose: Purpose): Promise<boolean> {
  return inTransaction(slots.globalDatabase, async (session) => {
    const before = await readPurpose(session)
    if (before === purpose) return false
    if (purpose === 'own' && (await hasMoney(slots)))
      throw new UsageError('An account has a balance. `ringproof accounts list` shows which; debit it first.')
    await writePurpose(session, purpose)
    const details = { purpose: [before, purpose] }
    await logAction(session, actor, { accountId: null, action: 'installation settings changed', details })
    return true
  })
}

// What customers have paid cannot be hidden from them.
async function hasMoney({ databases }: SlotMap): Promise<boolean> {
  return (await Promise.all(databases.map((database) => hasBalances(database)))).includes(true)
}

// How far the installation is from its first real call.

type Setup = SetupFacts & { readonly steps: ReturnType<typeof evaluateSetup> }

export async function showSetup({ slots, nowSeconds }: Deps, findings: readonly Finding[]): Promise<Setup> {
  const { globalDatabase, databases } = slots
  const [listed, ranges, tariffs, purpose] = await Promise.all([
    readTrunks(globalDatabase),
    readCallerRanges(globalDatabase),
    readTariffs(globalDatabase),
    readPurpose(globalDatabase),
  ])
  const trunks = listed.filter(({ isOn, isTest }) => isOn && !isTest).map(({ name }) => name)
  const rung = await Promise.all([
    hasRungLately(globalDatabase, trunks),
    ...databases.map((database) => hasRungBefore(database, trunks)),
  ])
  const nowMs = nowSeconds() * 1_000
  const facts: SetupFacts = {
    purpose,
    trunks,
    numbers: numbersIn(ranges.filter(({ trunk }) => trunks.includes(trunk))),
    tariffs: tariffs.filter(({ prices }) => prices.some(({ validFrom }) => validFrom.getTime() <= nowMs)).length,
    hasRung: rung.includes(true),
  }
  return { ...facts, steps: evaluateSetup(facts, findings) }
}

// Where every slot lives, and which are moving.

export type ListedDatabase = {
  readonly name: string
  readonly slots: readonly Slot[]
  // Of slots that move, or whose rows are still to be deleted here.
  readonly moves: readonly Pick<SlotMove, 'slot' | 'state' | 'peer' | 'changedAt'>[]
}

export async function listSlots({ slots }: Pick<Deps, 'slots'>): Promise<readonly ListedDatabase[]> {
  return Promise.all(
    slots.databases.map(async (database) => ({
      name: nameOf(database),
      slots: slotsAll.filter((slot) => slots.databaseOf(slot) === database),
      moves: (await readSlotMoves(database))
        .filter(({ state, isDirty }) => isDirty || state === 'copying' || state === 'frozen' || state === 'arriving')
        .map(({ slot, state, peer, changedAt }) => ({ slot, state, peer, changedAt })),
    })),
  )
}
