// Faults that the crash test must find. None of them can be switched on in the product: each replaces text in a copy of
// server/, from which the processes of that one run are started. The text to replace must occur exactly once, or it would
// not be clear what was changed; `npm run check` tests that for every mutation.

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Invariant } from './check.ts'

export type Mutation = {
  readonly breaks: Invariant
  readonly changes: readonly { readonly file: string; readonly from: string; readonly to: string }[]
}

export const mutations = {
  'a claim that always wins': {
    breaks: '2 one key, one call, one charge',
    changes: [
      {
        file: 'server/src/db/verifications/verification.ts',
        from: 'return claims.map((_, index) => won.get(index + 1))',
        to: 'return claims.map((_, index) => won.get(index + 1) ?? { leftMs: 5_000, price: 0, ageMs: 0, chargesFailed: false })',
      },
    ],
  },
  'a finish that charges twice': {
    breaks: '3 ledger balance',
    changes: [
      {
        file: 'server/src/db/functions/end-calls.sql',
        from: 'SET held = account.held - total.closed, balance = account.balance + total.released',
        to: 'SET held = account.held - total.closed, balance = greatest(0, account.balance + total.released - (total.closed - total.released))',
      },
    ],
  },
  'a lost release': {
    breaks: '4 nothing for nothing',
    changes: [
      {
        file: 'server/src/db/functions/end-calls.sql',
        from: `    FROM ended WHERE price > 0
  ), moved AS (`,
        to: `    FROM ended WHERE price > 0 AND is_captured
  ), moved AS (`,
      },
      {
        file: 'server/src/db/functions/end-calls.sql',
        from: 'FROM ended WHERE price > 0 GROUP BY account_id) AS total',
        to: 'FROM ended WHERE price > 0 AND is_captured GROUP BY account_id) AS total',
      },
    ],
  },
  'a number in the database': {
    breaks: '5 no number in clear at rest',
    changes: [
      {
        file: 'server/src/domain/verifications/plan-call.ts',
        from: 'personSealed: sealPerson(keys.sealRecords, apiClient.serviceId, person, random.nonce),',
        to: 'personSealed: Buffer.from(phone),',
      },
    ],
  },
  'a number logged': {
    breaks: '6 no code, key or number in a log',
    changes: [
      {
        file: 'server/src/engine/trunks/place-call.ts',
        from: `deps.log.info({ vendor_id: id, attempt, trunk: route.trunk }, 'call dialled')`,
        to: `deps.log.info({ vendor_id: id, attempt, trunk: route.trunk, number }, 'call dialled')`,
      },
    ],
  },
  'a webhook with a fresh id': {
    breaks: '7 webhooks arrive or are dead',
    changes: [
      {
        file: 'server/src/engine/webhooks/webhook-worker.ts',
        from: 'signedHeaders(secrets, String(id), now, body)',
        to: 'signedHeaders(secrets, crypto.randomUUID(), now, body)',
      },
    ],
  },
  // Both: what is sealed for one service cannot be opened for another.
  'a tenant filter left out': {
    breaks: '8 tenants are apart',
    changes: [
      {
        file: 'server/src/actions/verifications/get-info.ts',
        from: 'if (verification?.serviceId !== apiClient.serviceId)',
        to: 'if (!verification)',
      },
      {
        file: 'server/src/actions/verifications/get-info.ts',
        from: 'unsealPerson(deps.keys.sealRecords, apiClient.serviceId,',
        to: 'unsealPerson(deps.keys.sealRecords, verification.serviceId,',
      },
    ],
  },
  // Each process uses a hash that no other has, and a restarted process has forgotten everything.
  'a limit kept in memory': {
    breaks: '9 limits of a number hold',
    changes: [
      {
        file: 'server/src/domain/numbers/phone-number.ts',
        from: 'hashes: subscriberHashes(keys.phoneSubscriber, phone)',
        to: 'hashes: subscriberHashes(keys.phoneSubscriber, (phone + process.pid) as typeof phone)',
      },
    ],
  },
  'a state that flips': {
    breaks: '1 calls end, once and in time',
    changes: [
      {
        file: 'server/src/db/functions/sweep.sql',
        from: 'SELECT count(*) INTO ended FROM end_calls(ends);',
        to: `SELECT count(*) INTO ended FROM end_calls(ends);
  UPDATE verifications SET state = 'succeeded' WHERE state = 'failed' AND reason = 'refused';`,
      },
    ],
  },
  // The session of the first keeper holds a lock, and is frozen with it.
  'a sweep that needs a leader': {
    breaks: '1 calls end, once and in time',
    changes: [
      {
        file: 'server/src/db/functions/sweep.sql',
        from: `  SELECT (last_value >> 17) << 23 INTO newest_id FROM id_ticks;
`,
        to: `  IF NOT pg_try_advisory_lock(1380533059, 5) THEN
    ended := 0;
    skipped := '{}';
    RETURN;
  END IF;
  SELECT (last_value >> 17) << 23 INTO newest_id FROM id_ticks;
`,
      },
    ],
  },
  // As a worker does that was frozen at this point.
  'a dial long after its claim': {
    breaks: '4 nothing for nothing',
    changes: [
      {
        file: 'server/src/domain/verifications/verification.ts',
        from: 'const claimMaxMs = 2_000',
        to: 'const claimMaxMs = 2_000_000',
      },
      {
        file: 'server/src/engine/verifications/execute-call.ts',
        from: 'const sinceMs = deps.clock.monotonicMs() - claimedMs',
        to: `if (id % 4 === 0) await deps.clock.sleep(100_000, AbortSignal.any([]))
  const sinceMs = 0 * claimedMs`,
      },
    ],
  },
  'a replay that does not reserve again': {
    breaks: '9 limits of a number hold',
    changes: [
      {
        file: 'server/src/db/verifications/accept-over-shards.ts',
        from: '  if (monotonicMs() - startedMs <= reservationMs)',
        to: `  if (Number(accepted.id) % 2 === 0) {
    await giveBack()
    throw new Error('seeded')
  }
  if (monotonicMs() - startedMs <= reservationMs)`,
      },
      {
        file: 'server/src/actions/verifications/replay-verification.ts',
        from: 'if (sharesDatabase(deps.slots, number.slot, slotOfAccount(accountId))) return id',
        to: 'if (id > 0) return id',
      },
    ],
  },
} as const satisfies Record<string, Mutation>

export type MutationName = keyof typeof mutations
export const mutationNames = Object.keys(mutations) as MutationName[]

const repository = join(import.meta.dirname, '../..')
const program = 'server/bin/ringproof.js'

// The program to start: the product's own, or a copy with the fault. The copy must be inside the repository, where its
// packages are found.
export function programOf(mutation: MutationName | undefined, directory: string): string {
  if (mutation === undefined) return join(repository, program)
  const copy = join(directory, 'seeded')
  mkdirSync(copy)
  cpSync(join(repository, 'server'), join(copy, 'server'), { recursive: true })
  // The pages that are served.
  for (const name of ['docs', 'sdk']) symlinkSync(join(repository, name), join(copy, name))
  for (const change of mutations[mutation].changes) {
    const path = join(copy, change.file)
    writeFileSync(path, mutated(readFileSync(path, 'utf8'), change))
  }
  return join(copy, program)
}

export function mutated(text: string, { file, from, to }: Mutation['changes'][number]): string {
  const parts = text.split(from)
  if (parts.length !== 2)
    throw new Error(`${file} contains the text to replace ${parts.length - 1} times, not once: ${from}`)
  return parts.join(to)
}
