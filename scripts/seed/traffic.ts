// Verifications that never happened, made by the database itself: the same ones for the same place in the series, so that a
// run that was interrupted goes on. Shares of providers and prices are those of the demo's world. Their numbers are of a range that
// no numbering plan assigns. There are no ledger entries.

import type { AccountId, ServiceId } from '../../server/src/domain/core/slot.ts'
import { clientDigests } from '../../server/src/domain/crypto/keyed-digest.ts'
import { type KeyRing, nonceBytes } from '../../server/src/domain/crypto/sealing.ts'
import { mask, ofActiveKey, type PhoneNumber, tenantHashes } from '../../server/src/domain/numbers/phone-number.ts'
import { sealPerson } from '../../server/src/domain/verifications/person.ts'
import { prices, providerNames, providerShares } from '../world/cast.ts'

type Session = { readonly query: (sql: string, values?: unknown[]) => Promise<unknown> }

export type SeedService = { readonly accountId: AccountId; readonly serviceId: ServiceId }

type SeedKeys = {
  readonly recordKeys: KeyRing
  readonly tenantKeys: KeyRing
  readonly randomBytes: (bytes: number) => Uint8Array
}

// Each service has so many people, of whom a thousandth of its verifications is.
const peoplePerService = 50

export function seedPhone(person: number): PhoneNumber {
  return `7000001${String(person).padStart(4, '0')}` as PhoneNumber
}

export function seedClient(person: number): string {
  return `user ${person}`
}

// What rows are drawn from; for one session. Earlier services have more traffic.
export async function prepareSeed(
  session: Session,
  services: readonly SeedService[],
  { recordKeys, tenantKeys, randomBytes }: SeedKeys,
): Promise<void> {
  await session.query(
    `CREATE TEMP TABLE seed_people (place integer, person integer, account_id integer, service_id integer, sealed bytea,
       hash bytea, client bytea, PRIMARY KEY (place, person))`,
  )
  for (const [place, { accountId, serviceId }] of services.entries()) {
    const people = Array.from({ length: peoplePerService }, (_, person) => {
      const [phone, client] = [seedPhone(person), seedClient(person)]
      return {
        sealed: sealPerson(
          recordKeys,
          serviceId,
          { phoneMask: mask(phone), client, unique: undefined },
          randomBytes(nonceBytes),
        ),
        hash: ofActiveKey(tenantHashes(tenantKeys, accountId, phone)),
        client: clientDigests(tenantKeys, accountId, client)[0],
      }
    })
    await session.query(
      `INSERT INTO seed_people SELECT $1, listed.place - 1, $2, $3, listed.sealed, listed.hash, listed.client
       FROM unnest($4::bytea[], $5::bytea[], $6::bytea[]) WITH ORDINALITY AS listed(sealed, hash, client, place)`,
      [
        place,
        accountId,
        serviceId,
        people.map(({ sealed }) => sealed),
        people.map(({ hash }) => hash),
        people.map(({ client }) => client),
      ],
    )
  }
}

// Eight random fractions of a row. OFFSET 0 below keeps them from being computed again wherever they are used.
const uniform = Array.from(
  { length: 8 },
  (_, k) => `(hashint8extended(n, ${k + 1}) & 1048575) / 1048576::float8 AS u${k + 1}`,
)

// As in the world of the demo.
const providersByShare = providerNames
  .map((name, nth) => {
    const upTo = providerNames.slice(0, nth + 1).reduce((sum, one) => sum + providerShares[one], 0)
    return nth === providerNames.length - 1 ? `ELSE '${name}'` : `WHEN u3 < ${upTo} THEN '${name}'`
  })
  .join(' ')
const pricesByMode = Object.entries(prices)
  .map(([mode, price]) => `WHEN '${mode}' THEN ${price}`)
  .join(' ')

// Rows of one stretch of time: `count` of them, spread evenly, numbered from `first` on. All are over.
export async function insertSeed(
  session: Session,
  table: string,
  stretch: { readonly fromSecond: number; readonly seconds: number; readonly first: number; readonly count: number },
  services: number,
): Promise<void> {
  const { fromSecond, seconds, first, count } = stretch
  await session.query(
    `INSERT INTO ${table} (id, account_id, service_id, mode, state, is_test, phone_hash, person_sealed, country, phone_info,
       code, price, balance_before, attempt, accepted_at, start_until, end_until, trunk, caller_number, dialled_at, rang_at,
       ended_at, reason, sip_status, post_dial_ms, ring_ms, ended_by, charges_failed, client_digest, first_id)
     SELECT ((drawn.second - id_epoch()) << 23) + ((people.account_id % 64)::bigint << 17) + n % 131072,
       people.account_id, people.service_id, mode::verification_mode,
       CASE WHEN reason IN ('rang', 'spoken', 'called') THEN 'succeeded' ELSE 'failed' END::verification_state,
       is_test, CASE WHEN is_known THEN people.hash ELSE sha256(n::text::bytea) END, people.sealed, country,
       CASE WHEN country = 'RU' THEN jsonb_build_object('operator', provider, 'region', 'Demo', 'mnp', provider) END,
       CASE WHEN mode <> 'inbound' THEN lpad((n % 10000)::text, 4, '0') END,
       CASE WHEN is_test THEN 0 ELSE price END, 0, 1, at, at + interval '10 s', at + interval '55 s',
       CASE WHEN is_test THEN 'test' ELSE trunk END, 70000000000 + n % 10000, at + interval '80 ms',
       CASE WHEN rang THEN at + make_interval(secs => delay / 1000.0) END, at + interval '7 s', reason,
       CASE WHEN reason = 'refused' THEN 486 END, CASE WHEN rang THEN delay END, CASE WHEN rang THEN 5000 END,
       CASE WHEN rang THEN 'us' ELSE 'them' END, n % 7 = 0,
       CASE WHEN is_known THEN people.client WHEN n % 2 = 0 THEN substr(sha256(n::text::bytea), 1, 8) END,
       CASE WHEN n % 40 = 0 THEN n END
     FROM (
       SELECT n, u1, at, second, is_test, is_known, country, trunk, delay, mode,
         CASE ${providersByShare} END AS provider,
         CASE mode ${pricesByMode} END AS price,
         CASE WHEN u4 < 0.86 THEN CASE mode WHEN 'inbound' THEN 'called' WHEN 'voice' THEN 'spoken' ELSE 'rang' END
           WHEN mode = 'inbound' THEN 'not-called'
           WHEN u4 < 0.93 THEN 'refused' WHEN u4 < 0.97 THEN 'no-ringing' ELSE 'silence' END AS reason,
         u4 < 0.86 AND mode <> 'inbound' AS rang
       FROM (
         SELECT n, u1, u3, u4, second, to_timestamp(second) AS at, n % 1000 = 0 AS is_known, u5 < 0.02 AS is_test,
           CASE WHEN u6 < 0.95 THEN 'RU' ELSE 'KZ' END AS country,
           CASE WHEN u7 < 0.7 THEN 'north' ELSE 'south' END AS trunk, 600 + (u8 * u8 * 9000)::integer AS delay,
           (ARRAY['flash', 'flash', 'flash', 'voice', 'inbound', 'mix'])[1 + floor(u2 * 6)::integer] AS mode
         FROM (
           SELECT n, $2::bigint + ((n - $1) * $4::float8 / $3)::bigint AS second,
             ${uniform.join(', ')}
           FROM generate_series($1::bigint, $1::bigint + $3::bigint - 1) AS n
           OFFSET 0
         ) AS drawing
         OFFSET 0
       ) AS drawing
       OFFSET 0
     ) AS drawn
     JOIN seed_people AS people
       ON people.place = floor(power(u1, 3) * $5)::integer AND people.person = (n / 1000) % ${peoplePerService}`,
    [first, fromSecond, count, seconds, services],
  )
}
