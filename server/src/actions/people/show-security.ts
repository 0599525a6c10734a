import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { readActions, readLastAction } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { countRecoveryCodes, listPasskeys } from '../../db/people/second-factor.ts'
import { listWebSessions } from '../../db/people/web-session.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { limitsFor } from '../../domain/people/session.ts'
import { ownPhoneVerified } from './confirm-own-phone.ts'
import type { Visitor } from './find-visitor.ts'

type Deps = { readonly slots: SlotMap; readonly about: { readonly hasTelegram: boolean } }

const logMax = 50

export async function showSecurity({ slots, about }: Deps, visitor: Visitor): Promise<WebOutput<'security'>> {
  const { session, user, membership, rights } = visitor
  const { globalDatabase } = slots
  const accountDatabase = membership && slots.databaseOf(slotOfAccount(membership.accountId))
  const [sessions, passkeys, recoveryCodesLeft, log, phoneVerifiedAt] = await Promise.all([
    listWebSessions(globalDatabase, user.id, limitsFor(user.operatorRole)),
    listPasskeys(globalDatabase, user.id),
    countRecoveryCodes(globalDatabase, user.id),
    membership && rights.includes('read') ? readActions(slots, membership.accountId, logMax) : [],
    accountDatabase && readLastAction(accountDatabase, membership.accountId, ownPhoneVerified),
  ])
  return {
    sessions: sessions.map((one) => ({
      id: one.digest.toString('hex').slice(0, sessionIdLength),
      isThis: one.digest.equals(session.digest),
      address: one.address,
      userAgent: one.userAgent,
      createdAt: one.createdAt.getTime(),
      seenAt: one.seenAt.getTime(),
    })),
    totp: { isOn: user.totpSince !== null, recoveryCodesLeft },
    passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      createdAt: createdAt.getTime(),
      usedAt: usedAt?.getTime() ?? null,
    })),
    telegram: { isAvailable: about.hasTelegram, isOn: user.telegramSince !== null, name: user.telegramName },
    log: log.map(({ action, address, userAgent, createdAt, who }) => ({
      action,
      address,
      userAgent,
      at: createdAt.getTime(),
      who,
    })),
    ownPhone: { verifiedAt: phoneVerifiedAt?.getTime() ?? null, mask: '' },
  }
}

// The start of a digest names a session; it is no secret and cannot be used as one.
export const sessionIdLength = 16
