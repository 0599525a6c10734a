// Puts the cast into an empty database: trunks with their numbers and costs, prices, registries, and the customers' accounts. All of it
// has been there since the world began.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { pricedMethods } from '@ringproof/contract/lists/money.ts'
import { callModes } from '@ringproof/contract/methods.ts'
import type { Client } from 'pg'
import { createAccount } from '../../server/src/actions/accounts/accounts.ts'
import { createService } from '../../server/src/actions/accounts/services.ts'
import { addCallerRange } from '../../server/src/actions/trunks/caller-numbers.ts'
import { setAccountProfile } from '../../server/src/db/accounts/account.ts'
import type { SlotMap } from '../../server/src/db/core/slot-map.ts'
import { insertPrice } from '../../server/src/db/money/tariff.ts'
import { insertTrunkCost } from '../../server/src/db/money/trunk-cost.ts'
import { insertConfirmationNumber } from '../../server/src/db/trunks/confirmation-number.ts'
import { putTrunk } from '../../server/src/db/trunks/trunk.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import type { KeyRing } from '../../server/src/domain/crypto/sealing.ts'
import { type MicroAmount, zeroMoney } from '../../server/src/domain/money/money.ts'
import { anyCountry, defaultTariff } from '../../server/src/domain/money/tariff.ts'
import { slotOfNth } from '../../server/src/domain/trunks/confirmation-number.ts'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { dayMs, hourMs } from '../../server/src/domain/values/time.ts'
import { importPorted } from '../../server/src/numbering/import-ported.ts'
import { importRegistry } from '../../server/src/numbering/import-registry.ts'
import {
  type CustomerName,
  confirmationNumbersPerTrunk,
  customerNames,
  customers,
  prices,
  type TrunkName,
  trunkNames,
  trunks,
} from './cast.ts'
import type { InstalledCustomers } from './installed.ts'
import { portedText, registryText } from './subscribers.ts'
import { country } from './switching.ts'

export const actor = { address: '127.0.0.1', userAgent: 'npm run demo', operator: 'demo' }

export type InstallDeps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

// The command line of the product sells calls to Kazakhstan at this price, too.
const kazakh = { flash: 600_000, voice: 1_600_000 } as const
const kazakhNumbers = { first: 76_000_000_000, last: 76_000_009_999 } as const
const lookupPrice = 50_000

export async function installWorld(deps: InstallDeps, beginMs: number): Promise<InstalledCustomers> {
  const since = new Date(beginMs - dayMs)
  await installPrices(deps.slots, since)
  for (const name of trunkNames) await installTrunk(deps, name, since)
  const installed: [CustomerName, InstalledCustomers[CustomerName]][] = []
  for (const name of customerNames) installed.push([name, await installCustomer(deps, name)])
  return Object.fromEntries(installed) as InstalledCustomers
}

async function installPrices({ globalDatabase }: SlotMap, validFrom: Date): Promise<void> {
  const put = (method: (typeof pricedMethods)[number], mode: string, at: string, price: number) =>
    insertPrice(globalDatabase, defaultTariff, {
      method,
      mode: mode as '',
      country: at,
      price: price as MicroAmount,
      validFrom,
    })
  for (const mode of callModes) await put('initCall', mode, country, prices[mode])
  for (const [mode, price] of Object.entries(kazakh)) await put('initCall', mode, 'KZ', price)
  await put('inboundCallWaiting', '', anyCountry, prices.inbound)
  await put('checkPhone', '', anyCountry, lookupPrice)
}

async function installTrunk(deps: InstallDeps, name: TrunkName, validFrom: Date): Promise<void> {
  const { globalDatabase } = deps.slots
  const { priority, channels, callsPerSecond, callerBase, codes, costs, confirmationFirst } = trunks[name]
  await putTrunk(globalDatabase, { ...trunkDefaults, name, priority, channels, callsPerSecond })
  const [first, last] = codes
  await addCallerRange(deps, actor, { trunk: name, country, first: callerBase + first, last: callerBase + last })
  if (name === trunkNames[0]) await addCallerRange(deps, actor, { trunk: name, country: 'KZ', ...kazakhNumbers })
  for (let nth = 0; nth < confirmationNumbersPerTrunk; nth++) {
    await insertConfirmationNumber(globalDatabase, confirmationFirst + nth, name, slotOfNth(nth))
  }
  for (const [mode, cost] of Object.entries(costs)) {
    const one = { trunk: name, mode: mode as 'flash', country: anyCountry, cost: cost as MicroAmount, validFrom }
    await insertTrunkCost(globalDatabase, one)
  }
}

async function installCustomer(deps: InstallDeps, name: CustomerName): Promise<InstalledCustomers[CustomerName]> {
  const { email, title, service, prefixHourMax } = customers[name]
  const all = { ...deps, newServiceCaps: noCaps }
  const accountId = await createAccount(all, actor, { email, balance: zeroMoney, tariff: defaultTariff })
  await setAccountProfile(deps.slots.databaseOf(slotOfAccount(accountId)), accountId, { name: title })
  const texts = prefixHourMax === null ? {} : { 'prefix-hour-max': String(prefixHourMax) }
  const { serviceId, key } = await createService(all, actor, { accountId, name: service, texts })
  return { accountId, serviceId, key }
}

// As an operator imports them.
export async function installRegistries(dir: string): Promise<void> {
  const files = { registry: join(dir, 'DEF-9xx.csv'), ported: join(dir, 'Port_All_202601150000_1.csv') }
  writeFileSync(files.registry, registryText())
  writeFileSync(files.ported, portedText())
  const quietly = () => undefined
  await importRegistry(dir, [files.registry], true, quietly)
  await importPorted(dir, [files.ported], true, quietly)
  for (const file of Object.values(files)) rmSync(file)
}

// What was made just now was made when each customer came.
export async function backdate(client: Client, installed: InstalledCustomers, beginMs: number): Promise<void> {
  const logged = "UPDATE action_log SET created_at = $1::timestamptz + id * interval '1 second'"
  for (const name of customerNames) {
    const { accountId, serviceId } = installed[name]
    const cameMs = beginMs + customers[name].sinceDay * dayMs - 8 * hourMs
    const came = new Date(cameMs).toISOString()
    await client.query('UPDATE accounts SET created_at = $2, active_at = $2 WHERE id = $1', [accountId, came])
    await client.query('UPDATE services SET created_at = $2 WHERE account_id = $1', [accountId, came])
    await client.query('UPDATE api_keys SET created_at = $2 WHERE service_id = $1', [serviceId, came])
    await client.query(`${logged} WHERE account_id = $2`, [came, accountId])
  }
  const began = new Date(beginMs - dayMs).toISOString()
  await client.query('UPDATE trunks SET created_at = $1', [began])
  await client.query('UPDATE tariffs SET created_at = $1', [began])
  await client.query(`${logged} WHERE account_id IS NULL`, [began])
}

// After the past was written. Nothing has chained the entries yet.
export async function orderAuditLog(client: Client): Promise<void> {
  await client.query('CREATE TEMP TABLE entries AS SELECT * FROM action_log')
  await client.query('DELETE FROM action_log')
  await client.query(
    `INSERT INTO action_log (account_id, action, details, address, user_agent, operator, created_at)
     SELECT account_id, action, details, address, user_agent, operator, created_at FROM entries ORDER BY created_at, id`,
  )
  await client.query('DROP TABLE entries')
}
