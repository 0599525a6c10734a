// Who and what is there when the demo starts: a customer with services, an operator, and a day of past traffic.

import { createAccount } from '../../server/src/actions/accounts/accounts.ts'
import { createService } from '../../server/src/actions/accounts/services.ts'
import { writeRecoveryCodes } from '../../server/src/actions/people/recovery.ts'
import { setAccountProfile } from '../../server/src/db/accounts/account.ts'
import { createSlotMap, type SlotMap } from '../../server/src/db/core/slot-map.ts'
import { putMembership } from '../../server/src/db/people/membership.ts'
import { changeUser, insertUser, setOperatorRole, type UserId } from '../../server/src/db/people/user.ts'
import { noCaps } from '../../server/src/domain/accounts/service.ts'
import { slotOfAccount, slotsAll } from '../../server/src/domain/core/slot.ts'
import { type KeyRing, nonceBytes, seal } from '../../server/src/domain/crypto/sealing.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { defaultTariff } from '../../server/src/domain/money/tariff.ts'
import { hashPassword, saltBytes } from '../../server/src/domain/people/password.ts'
import { base32, totpSecretBytes } from '../../server/src/domain/people/totp.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { phonesAddress } from '../stack/parts/phones.ts'
import { loadState } from '../stack/state.ts'
import { insertPastTraffic } from './past-traffic.ts'
import { connectTrunks } from './trunks.ts'

type RandomBytes = (bytes: number) => Uint8Array

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

const actor = { address: '127.0.0.1', userAgent: 'npm run demo', operator: 'demo' }
const userEmail = 'you@example.org'
const operatorEmail = 'ops@example.org'

export async function seed(environment: NodeJS.ProcessEnv, randomBytes: RandomBytes): Promise<Seeded> {
  const ownerUrl = environment['RINGPROOF_DATABASE_OWNER_URL'] ?? ''
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, ownerUrl])))
  const { 'seal-records': recordKeys, 'phone-tenant': tenantKeys } = readSecrets(
    environment['RINGPROOF_SECRETS_DIR'] ?? '',
  )
  const deps = { slots, recordKeys, randomBytes, newServiceCaps: noCaps }
  try {
    const state = await loadState()
    await connectTrunks(slots, { carrier: `127.0.0.1:${state.ports.carrier}`, phones: phonesAddress(state) })
    const accountId = await createAccount(deps, actor, account(userEmail))
    await setAccountProfile(slots.databaseOf(slotOfAccount(accountId)), accountId, { name: 'My shop' })
    const shop = await createService(deps, actor, { accountId, name: 'My shop', isTest: false })
    const tests = await createService(deps, actor, { accountId, name: 'My shop, tests', isTest: true })
    const user = await createUser(deps, userEmail)
    await putMembership(slots.globalDatabase, user.id, { accountId, role: 'owner' })
    await insertPastTraffic({ slots, recordKeys, tenantKeys, randomBytes }, { accountId, serviceId: shop.serviceId })

    const ownAccount = await createAccount(deps, actor, account('billing@example.org'))
    const own = await createService(deps, actor, { accountId: ownAccount, name: 'Own phones', isTest: false })
    const operator = await createUser(deps, operatorEmail)
    await setOperatorRole(deps.slots.globalDatabase, actor, actor.userAgent, { userId: operator.id, role: 'admin' })
    const factor = await addFactor(deps, operator.id)
    return {
      user: { email: userEmail, password: user.password },
      operator: { email: operatorEmail, password: operator.password, ...factor },
      serviceId: shop.serviceId,
      key: shop.key,
      testServiceId: tests.serviceId,
      testKey: tests.key,
      testWebhookSecret: tests.webhookSecret,
      ownServiceId: own.serviceId,
      ownKey: own.key,
    }
  } finally {
    await slots.close()
  }
}

function account(email: string) {
  return { email, balance: 500_000_000 as MicroAmount, tariff: defaultTariff }
}

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing; readonly randomBytes: RandomBytes }

// Four short words: it is typed by hand.
async function createUser(
  { slots, randomBytes }: Deps,
  email: string,
): Promise<{ readonly id: UserId; readonly password: string }> {
  const password = Array.from(randomBytes(4), (byte) => words[byte % words.length]).join('-')
  const passwordHash = await hashPassword(password, randomBytes(saltBytes))
  const user = { email, passwordHash, name: '', language: 'en', termsVersion: '', signedUpAt: undefined }
  const id = await insertUser(slots.globalDatabase, user)
  if (id === undefined) throw new Error(`${email} exists already`)
  return { id, password }
}

// An operator needs a second step. The recovery codes are printed, so that nobody needs a phone to try the console.
async function addFactor({ slots, recordKeys, randomBytes }: Deps, id: UserId) {
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
