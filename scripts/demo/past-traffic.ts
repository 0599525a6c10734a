// A day of verifications that never happened, with the ledger entries they would have had: holds are captured or released, and the
// balance is what is left. All numbers are of a range that cannot exist.

import { inTransaction, type Session } from '../../server/src/db/core/database.ts'
import type { SlotMap } from '../../server/src/db/core/slot-map.ts'
import { moveMoney } from '../../server/src/db/money/ledger.ts'
import { type AccountId, firstIdOfSecond, type ServiceId, slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { type KeyRing, nonceBytes } from '../../server/src/domain/crypto/sealing.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import { mask, ofActiveKey, type PhoneNumber, tenantHashes } from '../../server/src/domain/numbers/phone-number.ts'
import { daySeconds } from '../../server/src/domain/values/time.ts'
import { sealPerson } from '../../server/src/domain/verifications/person.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly tenantKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

const count = 600

type Mode = 'flash' | 'voice' | 'inbound'
const prices: Readonly<Record<Mode, number>> = { flash: 400_000, voice: 1_200_000, inbound: 300_000 }

export async function insertPastTraffic(
  { slots, recordKeys, tenantKeys, randomBytes }: Deps,
  { accountId, serviceId }: { readonly accountId: AccountId; readonly serviceId: ServiceId },
): Promise<void> {
  const slot = slotOfAccount(accountId)
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const rows = Array.from({ length: count }, (_, index) => {
    const byte = randomBytes(4)
    // Older first; more by day than by night would need a curve that no screen shows yet.
    const second = nowSeconds - daySeconds + 120 + Math.floor((index * (daySeconds - 600)) / count)
    const phone = `7000000${String(index).padStart(4, '0')}` as PhoneNumber
    const mode: Mode = (byte[0] ?? 0) < 200 ? 'flash' : (byte[0] ?? 0) < 230 ? 'inbound' : 'voice'
    const succeeded = (byte[1] ?? 0) < 235
    const person = { phoneMask: mask(phone), client: `user ${1_000 + index}`, unique: undefined }
    return {
      id: firstIdOfSecond(second) + slot * 2 ** 17 + index,
      mode,
      succeeded,
      price: prices[mode],
      second,
      hash: ofActiveKey(tenantHashes(tenantKeys, accountId, phone)),
      person: sealPerson(recordKeys, serviceId, person, randomBytes(nonceBytes)),
      code: mode === 'inbound' ? null : String(((byte[2] ?? 0) * 256 + (byte[3] ?? 0)) % 10_000).padStart(4, '0'),
      ringMs: 900 + (byte[3] ?? 0) * 12,
    }
  })
  const spent = rows.reduce((sum, { succeeded, price }) => sum + (succeeded ? price : 0), 0)
  await inTransaction(slots.databaseOf(slot), async (session) => {
    // What the past has cost was paid for before it.
    const payment = { accountId, move: 'credit', amount: spent as MicroAmount } as const
    await moveMoney(
      session,
      { address: '127.0.0.1', userAgent: 'npm run demo', operator: 'demo' },
      { ...payment, reference: 'past traffic', reason: 'demo' },
    )
    await session.query('UPDATE accounts SET balance = balance - $2 WHERE id = $1', [accountId, spent])
    for (const row of rows) {
      const { id, mode, succeeded, price, second, hash, person, code, ringMs } = row
      await session.query(
        `INSERT INTO verifications (id, account_id, service_id, mode, state, phone_hash, person_sealed, country, code, price,
           balance_before, accepted_at, start_until, end_until, trunk, dialled_at, rang_at, ended_at, reason, post_dial_ms, ring_ms, ended_by)
         SELECT $1, $2, $3, $4::verification_mode, $5::verification_state, $6, $7, 'RU', $8, $9, 0, at, at + interval '10 seconds',
           at + interval '55 seconds', 'demo', at + interval '100 ms', CASE WHEN $10 THEN at + make_interval(secs => $11 / 1000.0) END,
           at + interval '7 seconds', CASE WHEN $10 THEN 'rang' ELSE 'refused' END, $11, 5000, 'us'
         FROM (SELECT to_timestamp($12) AS at) AS clock`,
        [
          id,
          accountId,
          serviceId,
          mode,
          succeeded ? 'succeeded' : 'failed',
          hash,
          person,
          code,
          price,
          succeeded,
          ringMs,
          second,
        ],
      )
      await session.query(
        `INSERT INTO ledger (id, sequence, account_id, from_account, to_account, amount, created_at)
         VALUES ($1, 1, $2, 'available', 'held', $3, to_timestamp($4)),
                ($1, 2, $2, 'held', $5::ledger_account, $3, to_timestamp($4 + 7))`,
        [id, accountId, price, second, succeeded ? 'revenue' : 'available'],
      )
    }
    await countToday(session, serviceId)
  })
}

// What the caps of the service count.
async function countToday(session: Session, serviceId: ServiceId): Promise<void> {
  await session.query(
    `INSERT INTO service_usage (service_id, day, day_count, day_spent, last_request_at)
     SELECT $1, date_trunc('day', clock_timestamp(), 'UTC'), count(*), coalesce(sum(price) FILTER (WHERE state = 'succeeded'), 0),
       clock_timestamp() - interval '8 minutes'
     FROM verifications WHERE service_id = $1 AND accepted_at >= date_trunc('day', clock_timestamp(), 'UTC')`,
    [serviceId],
  )
}
