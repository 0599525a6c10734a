// Who can sign in to the demo: the owner of the shop, and an operator with a second factor.

import { createAccount } from '../../server/src/actions/accounts/accounts.ts'
import { createService } from '../../server/src/actions/accounts/services.ts'
import { postAnnouncement } from '../../server/src/actions/notices/announcements.ts'
import { writeRecoveryCodes } from '../../server/src/actions/people/recovery.ts'
import { putMembership } from '../../server/src/db/people/membership.ts'
import { changeUser, insertUser, setOperatorRole, type UserId } from '../../server/src/db/people/user.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import { nonceBytes, seal } from '../../server/src/domain/crypto/sealing.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { defaultTariff } from '../../server/src/domain/money/tariff.ts'
import { hashPassword, saltBytes } from '../../server/src/domain/people/password.ts'
import { base32, totpSecretBytes } from '../../server/src/domain/people/totp.ts'
import { dayMs, hourMs } from '../../server/src/domain/values/time.ts'
import { customers } from '../world/cast.ts'
import { actor, type InstallDeps } from '../world/install.ts'
import type { InstalledCustomers } from '../world/installed.ts'

export type Seeded = {
  readonly user: { readonly email: string; readonly password: string }
  readonly operator: {
    readonly email: string
    readonly password: string
    readonly totpSecret: string
    readonly recoveryCodes: readonly string[]
  }
  readonly serviceId: number
  readonly key: string
  readonly testServiceId: number
  readonly testKey: string
  readonly testWebhookSecret: string
  // The operator's own service, with which customers' phones are verified.
  readonly ownServiceId: number
  readonly ownKey: string
}

const operatorEmail = 'ops@example.org'
const ownBalance = 500_000_000 as MicroAmount

export async function seedPeople(deps: InstallDeps, { shop }: InstalledCustomers): Promise<Seeded> {
  const { slots } = deps
  const all = { ...deps, newServiceCaps: noCaps }
  const tests = await createService(all, actor, { accountId: shop.accountId, name: 'My shop, tests', isTest: true })
  const user = await createUser(deps, customers.shop.email)
  await putMembership(slots.globalDatabase, user.id, { accountId: shop.accountId, role: 'owner' })
  const account = { email: 'billing@example.org', balance: ownBalance, tariff: defaultTariff }
  const accountId = await createAccount(all, actor, account)
  const own = await createService(all, actor, { accountId, name: 'Own phones', isTest: false })
  const operator = await createUser(deps, operatorEmail)
  await setOperatorRole(slots.globalDatabase, actor, actor.userAgent, { userId: operator.id, role: 'admin' })
  const factor = await addFactor(deps, operator.id)
  await announceMaintenance(deps)
  return {
    user: { email: customers.shop.email, password: user.password },
    operator: { email: operatorEmail, password: operator.password, ...factor },
    serviceId: shop.serviceId,
    key: shop.key,
    testServiceId: tests.serviceId,
    testKey: tests.key,
    testWebhookSecret: tests.webhookSecret,
    ownServiceId: own.serviceId,
    ownKey: own.key,
  }
}

// Of the night after next.
async function announceMaintenance(deps: InstallDeps): Promise<void> {
  const from = new Date(Math.ceil(Date.now() / dayMs) * dayMs + dayMs)
  const until = new Date(from.getTime() + hourMs)
  const en = 'The trunks move to another machine. Calls may start up to a minute late.'
  const ru = 'Транки переезжают на другую машину. Звонки могут начинаться с задержкой до минуты.'
  await postAnnouncement(deps, actor, { severity: 'maintenance', en, ru, from, until, stopsCalls: false })
}

// Four short words: it is typed by hand.
async function createUser(
  { slots, randomBytes }: InstallDeps,
  email: string,
): Promise<{ readonly id: UserId; readonly password: string }> {
  const password = Array.from(randomBytes(4), (byte) => words[byte % words.length]).join('-')
  const passwordHash = await hashPassword(password, randomBytes(saltBytes))
  const user = { email, passwordHash, name: '', language: 'en', termsVersion: '', signedUpAt: undefined }
  const id = await insertUser(slots.globalDatabase, user)
  if (id === undefined) throw new Error(`${email} exists already`)
  return { id, password }
}

// An operator needs a second step.
async function addFactor({ slots, recordKeys, randomBytes }: InstallDeps, id: UserId) {
  const secret = randomBytes(totpSecretBytes)
  const totpSealed = seal(recordKeys, 'totp', id, Buffer.from(secret).toString('base64'), randomBytes(nonceBytes))
  await changeUser(slots.globalDatabase, id, { totpSealed, totpSince: new Date() })
  const recoveryCodes = await writeRecoveryCodes({ randomBytes }, slots.globalDatabase, id)
  return { totpSecret: base32(secret), recoveryCodes }
}

const words =
  `amber anvil apple arrow basil beacon birch brick cabin candle cedar chalk cliff clover copper coral cotton
  cove crane delta ember fern flint forge frost garnet ginger glade grove harbor hazel heron honey indigo iron ivory
  jasper juniper kettle lagoon lantern larch lemon linen maple marble meadow mill mint moss nectar oak olive onyx opal
  orchard otter pebble pine plum quartz raven reed river saddle sage slate`
    .split(/\s+/)
    .filter((word) => word !== '')
