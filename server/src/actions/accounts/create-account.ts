import { insertAccount, nextAccountId, reserveEmail } from '../../db/accounts/account.ts'
import { type Actor, logAction } from '../../db/core/action-log.ts'
import { inTransaction } from '../../db/core/database.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { moveMoney } from '../../db/money/ledger.ts'
import { tariffName } from '../../db/money/tariff.ts'
import { type AccountId, type Slot, slotCount, slotOfAccount } from '../../domain/core/slot.ts'
import { formatDecimal, type MicroAmount } from '../../domain/money/money.ts'
import { parseEmail } from '../../domain/people/email.ts'
import { UsageError } from '../../process/errors.ts'

type Deps = { readonly slots: SlotMap; readonly randomBytes: (bytes: number) => Uint8Array }
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
      await moveMoney(session, actor, { accountId: id, move: 'credit', amount: command.balance, ...opening })
    }
  })
  return id
}

const [reference, reason] = ['opening balance', 'account created'] as const
const opening = { reference, reason }
