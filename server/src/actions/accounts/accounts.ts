import {
  type Account,
  insertAccount,
  listAccounts,
  lockAccount,
  nextAccountId,
  readAccount,
  reserveEmail,
  setAccountClosed,
  setAccountTariff,
  blockAccount as setBlocked,
  setMustVerifyPhone,
  unblockAccount as setUnblocked,
} from '../../db/accounts/account.ts'
import { deleteKeysOfAccount } from '../../db/accounts/api-key.ts'
import { archiveServices, listServices, type Service } from '../../db/accounts/service.ts'
import { type Actor, logAction, readActions } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { moveMoney } from '../../db/money/ledger.ts'
import { tariffName } from '../../db/money/tariff.ts'
import { type AccountId, type Slot, slotCount, slotOfAccount } from '../../domain/core/slot.ts'
import { formatDecimal, type MicroAmount } from '../../domain/money/money.ts'
import { parseEmail } from '../../domain/people/email.ts'
import { Denial, UsageError } from '../../process/errors.ts'

type Deps = {
  readonly slots: SlotMap
  readonly randomBytes: (bytes: number) => Uint8Array
}

type Command = { readonly email: string; readonly balance: MicroAmount; readonly tariff: string }

// Reserves the e-mail in the global database first, with the future account ID. A process that dies between the two databases
// leaves a reservation without an account; the next attempt with this e-mail completes it.
export async function createAccount(deps: Deps, actor: Actor, command: Command): Promise<AccountId> {
  const { slots, randomBytes } = deps
  const email = parseEmail(command.email)
  if (email === undefined) throw new UsageError(`Invalid e-mail address: ${command.email}`)
  if ((await tariffName(slots.globalDatabase, command.tariff)) === undefined)
    throw new UsageError(`Tariff ${command.tariff} does not exist. \`ringproof tariffs list\` shows all tariffs.`)

  const slot = ((randomBytes(1)[0] ?? 0) % slotCount) as Slot
  const id = await reserveEmail(slots.globalDatabase, email, await nextAccountId(slots.databaseOf(slot), slot))
  await inTransaction(slots.databaseOf(slotOfAccount(id)), async (session) => {
    if (!(await insertAccount(session, id, email, command.tariff))) {
      throw new UsageError(`${email} already has an account: ${id}`)
    }
    const details = { balance: formatDecimal(command.balance), tariff: command.tariff }
    await logAction(session, actor, { accountId: id, action: 'account created', details })
    if (command.balance > 0) {
      await moveMoney(session, actor, {
        accountId: id,
        move: 'credit',
        amount: command.balance,
        reference: 'opening balance',
        reason: opening,
      })
    }
  })
  return id
}

const opening = 'account created'

type ShownAccount = {
  readonly account: Account
  readonly services: readonly Service[]
  // Newest first.
  readonly actions: Awaited<ReturnType<typeof readActions>>
}

const actionsMax = 10

export async function showAccount({ slots }: Pick<Deps, 'slots'>, id: AccountId): Promise<ShownAccount> {
  const database = slots.databaseOf(slotOfAccount(id))
  const account = await readAccount(database, id)
  if (!account) throw new UsageError(`Account ${id} does not exist. \`ringproof accounts list\` shows all accounts.`)
  const [services, actions] = await Promise.all([listServices(database, id), readActions(slots, id, actionsMax)])
  return { account, services, actions }
}

// Of an installation with one account, whose ID nobody has to type.
export async function onlyAccount({ slots }: Pick<Deps, 'slots'>): Promise<AccountId> {
  const [account, ...others] = await listAccounts(slots.databases)
  if (!account) throw new UsageError('There is no account. Create it: ringproof accounts create --email …')
  if (others.length > 0) throw new UsageError('There is more than one account. Name it with --account.')
  return account.id
}

type SetAccountCommand = {
  readonly accountId: AccountId
  readonly tariff: string | undefined
  // While true, the account may read but not call: code 1005.
  readonly mustVerifyPhone: boolean | undefined
}

// The changed settings with their values before and after. Nothing changed: nothing is logged.
type Changes = Readonly<Record<string, readonly [string | boolean, string | boolean]>>

export async function setAccount(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  command: SetAccountCommand,
): Promise<Changes> {
  const { accountId, tariff, mustVerifyPhone } = command
  if (tariff !== undefined && (await tariffName(deps.slots.globalDatabase, tariff)) === undefined)
    throw new UsageError(`Tariff ${tariff} does not exist. \`ringproof tariffs list\` shows all tariffs.`)
  return inTransaction(deps.slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const account = await lockAccount(session, accountId)
    const changes: Record<string, readonly [string | boolean, string | boolean]> = {}
    if (tariff !== undefined && account.tariff !== tariff) {
      await setAccountTariff(session, accountId, tariff)
      changes['tariff'] = [account.tariff, tariff]
    }
    if (mustVerifyPhone !== undefined && account.mustVerifyPhone !== mustVerifyPhone) {
      await setMustVerifyPhone(session, accountId, mustVerifyPhone)
      changes['mustVerifyPhone'] = [account.mustVerifyPhone, mustVerifyPhone]
    }
    if (Object.keys(changes).length > 0)
      await logAction(session, actor, { accountId, action: 'account changed', details: changes })
    return changes
  })
}

type BlockAccountCommand = {
  readonly accountId: AccountId
  readonly blocked: boolean
  // For the action log.
  readonly reason?: string | undefined
}

// False if nothing changed; then nothing is logged.
export async function blockAccount(
  deps: Pick<Deps, 'slots'>,
  actor: Actor,
  command: BlockAccountCommand,
): Promise<boolean> {
  const { accountId, blocked, reason } = command
  return inTransaction(deps.slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const account = await lockAccount(session, accountId)
    if ((account.blockedAt !== null) === blocked) return false
    await (blocked ? setBlocked : setUnblocked)(session, accountId)
    const action = blocked ? 'account blocked' : 'account unblocked'
    await logAction(session, actor, { accountId, action, details: reason === undefined ? {} : { reason } })
    return true
  })
}

type CloseAccountCommand = {
  readonly accountId: AccountId
  // As the person has typed it, so that nobody closes the wrong account.
  readonly name: string
}

// Revokes every key and archives every service, at once and together. Calls in progress end as usual. People can still sign in and
// read; what is stored goes with its retention time. The money stays: an operator pays it back.
export async function closeAccount(
  { slots }: Pick<Deps, 'slots'>,
  actor: Actor,
  { accountId, name }: CloseAccountCommand,
): Promise<void> {
  await inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const account = await lockAccount(session, accountId)
    if (account.closedAt) throw new Denial('account-closed')
    if (name.trim() !== (account.name || account.email)) throw new Denial('invalid', ['name'])
    await setAccountClosed(session, accountId, true)
    const keys = await deleteKeysOfAccount(session, accountId)
    const services = await archiveServices(session, accountId)
    const details = { keys, services, amount: formatDecimal(account.balance) }
    await logAction(session, actor, { accountId, action: 'account closed', details })
  })
}

// Its services stay archived, and their keys are gone. False if it was not closed; then nothing is logged.
export async function reopenAccount(
  { slots }: Pick<Deps, 'slots'>,
  actor: Actor,
  accountId: AccountId,
): Promise<boolean> {
  return inTransaction(slots.databaseOf(slotOfAccount(accountId)), async (session) => {
    const { closedAt } = await lockAccount(session, accountId)
    if (!closedAt) return false
    await setAccountClosed(session, accountId, false)
    await logAction(session, actor, { accountId, action: 'account reopened', details: {} })
    return true
  })
}
