// The steps of a verification as the product sends them, one batch after another over one session for each process role.

import { randomBytes } from 'node:crypto'
import type { Session } from '../server/src/db/core/database.ts'
import { acceptCalls, claimCalls, endCalls, noteRang } from '../server/src/db/verifications/verification.ts'
import type { AccountId, ServiceId, VerificationId } from '../server/src/domain/core/slot.ts'
import type { NumberPrefix } from '../server/src/domain/numbers/number-prefix.ts'
import type { CallRequest } from '../server/src/domain/verifications/call-request.ts'
import { callRequest } from '../tests/support/database/call-request.ts'
import { price } from './environment.ts'

type Accepted = { readonly id: VerificationId; readonly numberHashes: readonly Buffer[] }

const trunk = 'bench'
const callerNumber = 70_000_001_234
// So much later than in the product a call has to be claimed: a round may take a minute on a busy machine.
const deadlineScale = 60

/** A claim, a ring and an end are those of the calls accepted as `calls`. One account pays for all. */
export function createLifecycle(api: Session, worker: Session, accountId: AccountId, serviceId: ServiceId) {
  const allOf = (done: readonly unknown[], step: string) => {
    if (!done.every(Boolean)) throw new Error(`a call was not ${step}`)
  }
  return {
    accept: async (size: number): Promise<readonly Accepted[]> => {
      const requests = Array.from({ length: size }, () => requestOf(accountId, serviceId))
      const accepted = await acceptCalls(api, requests, deadlineScale)
      return accepted.map(({ decision, id }, index) => {
        if (id === null || decision !== 'accepted') throw new Error(`a call was refused: ${decision}`)
        return { id, numberHashes: requests[index]?.numberHashes ?? [] }
      })
    },
    claim: async (calls: readonly Accepted[]) => {
      const claims = calls.map(({ id }) => ({ id, attempt: 1, trunk, callerNumber, token: id }))
      allOf(await claimCalls(worker, claims), 'claimed')
    },
    rang: (calls: readonly Accepted[]) =>
      noteRang(
        worker,
        calls.map(({ id }) => ({ id, attempt: 1 })),
      ),
    end: async (calls: readonly Accepted[]) => {
      const timing = { postDialMs: 500, ringMs: 1_000, endedBy: 'us' } as const
      const outcome = { attempt: 1, succeeded: true, reason: 'rang', sipStatus: 487, timing }
      const ends = calls.map(({ id, numberHashes }) => ({ ...outcome, id, numberHashes, numberLeaseId: id }))
      allOf(await endCalls(worker, ends), 'ended')
    },
  }
}

// Each to another number, without a key of the customer and without caps, as most are.
function requestOf(accountId: AccountId, serviceId: ServiceId): CallRequest {
  const person = { personSealed: randomBytes(60), optOutDigest: randomBytes(16) }
  const prefix = randomBytes(4).readUInt32BE() as NumberPrefix
  return callRequest({ accountId, serviceId }, { ...person, prefix, price, trunk, callerNumber })
}
