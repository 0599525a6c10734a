// Verifications of all customers for operators, newest first. The command line lists them by the same action.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readAccountNames } from '../../db/accounts/account.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { secondOfVerification } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { toDecimal, zeroMoney } from '../../domain/money/money.ts'
import { chargeOf } from '../../domain/verifications/charge.ts'
import { sideOf, statusOf } from '../../domain/verifications/shown-status.ts'
import { type ListedVerification, listVerifications, type VerificationQuery } from './list-verifications.ts'

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing; readonly keys: { readonly phoneTenant: KeyRing } }
type Page = WebOutput<'calls'>
export type CallRow = Page['calls'][number]
export type CallQuery = Omit<VerificationQuery, 'phone' | 'client' | 'unique'>

export async function listCalls({ slots, recordKeys, keys }: Deps, query: CallQuery, limit: number): Promise<Page> {
  const whole = { phone: undefined, client: undefined, unique: undefined, ...query }
  const deps = { slots, recordKeys, tenantKeys: keys.phoneTenant }
  const { verifications, nextBefore } = await listVerifications(deps, whole, limit)
  const names = await readAccountNames(slots.databases, [...new Set(verifications.map(({ accountId }) => accountId))])
  return {
    calls: verifications.map((verification) => callRow(verification, names.get(verification.accountId) ?? '')),
    nextBefore: nextBefore ?? null,
  }
}

export function callRow(verification: ListedVerification, accountName: string): CallRow {
  const { id, accountId, phoneMask, mode, isTest, country, trunk, reason, sipStatus } = verification
  return {
    id,
    at: secondOfVerification(id) * 1_000,
    accountId,
    accountName,
    phoneMask,
    mode,
    status: statusOf(verification),
    isTest,
    country,
    provider: verification.phoneInfo?.mnp ?? '',
    region: verification.phoneInfo?.region ?? '',
    trunk,
    reason,
    sipStatus,
    atFault: sideOf(verification),
    ringDelayMs: verification.postDialMs,
    charged: toDecimal(verification.endedAt === null ? zeroMoney : chargeOf(verification)),
  }
}
