import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { hasAccounts, readAccount } from '../../db/accounts/account.ts'
import { readActions, readLastAction } from '../../db/core/action-log.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type Installation, readInstallation } from '../../db/installation/installation.ts'
import type { Membership } from '../../db/people/membership.ts'
import { countRecoveryCodes, listPasskeys } from '../../db/people/second-factor.ts'
import { listWebSessions } from '../../db/people/web-session.ts'
import { slotOfAccount } from '../../domain/core/slot.ts'
import { toDecimal, zeroMoney } from '../../domain/money/money.ts'
import { limitsFor } from '../../domain/people/session.ts'
import { factorsOf } from './create-session.ts'
import { ownPhoneVerified } from './profile.ts'
import type { Visitor } from './visitor.ts'

type Deps = {
  readonly slots: SlotMap
  readonly about: {
    readonly publicUrl: string
    readonly version: string
    readonly currency: string
    readonly isDemo: boolean
    readonly hasTelegram: boolean
  }
}

// What every page needs to know: where it is, who looks at it, and which account it shows.
export async function showMe({ slots, about }: Deps, visitor: Visitor | undefined): Promise<WebOutput<'me'>> {
  const stored = await readInstallation(slots.globalDatabase)
  const installation = { ...stored, ...about, isSignUpOpen: await isSignUpOpen(slots, stored) }
  if (!visitor)
    return { installation, stage: 'signed-out', factors: [], user: null, account: null, accounts: [], viewUntil: null }
  const { session, user, memberships, membership, rights, view } = visitor
  const factors = [...factorsOf(user)]
  const shownUser = {
    email: user.email,
    name: user.name,
    language: user.language,
    operatorRole: session.stage === 'signed-in' ? user.operatorRole : null,
    mustAddFactor: user.operatorRole !== null && factors.length === 0,
    signedUpAt: user.signedUpAt.getTime(),
  }
  if (session.stage === 'second-step')
    return {
      installation,
      stage: 'second-step',
      factors,
      user: shownUser,
      account: null,
      accounts: [],
      viewUntil: null,
    }
  const accounts = await Promise.all(memberships.map((one) => namedAccount(slots, one)))
  const account = membership && (await shownAccount(slots, membership, rights))
  return {
    installation,
    stage: 'signed-in',
    factors,
    user: shownUser,
    account: account ?? null,
    accounts,
    viewUntil: view?.until.getTime() ?? null,
  }
}

async function namedAccount(slots: SlotMap, { accountId, role }: Membership) {
  const account = await readAccount(slots.databaseOf(slotOfAccount(accountId)), accountId)
  return { id: accountId, name: account?.name || account?.email || String(accountId), role }
}

async function shownAccount(slots: SlotMap, { accountId, role }: Membership, rights: Visitor['rights']) {
  const account = await readAccount(slots.databaseOf(slotOfAccount(accountId)), accountId)
  if (!account) return undefined
  return {
    id: accountId,
    name: account.name || account.email,
    role,
    timeZone: account.timeZone,
    balance: toDecimal(rights.includes('read') ? account.balance : zeroMoney),
    mustVerifyPhone: account.mustVerifyPhone,
    createdAt: account.createdAt.getTime(),
    closedAt: account.closedAt?.getTime() ?? null,
  }
}

type ShowSecurityDeps = { readonly slots: SlotMap; readonly about: { readonly hasTelegram: boolean } }

const logMax = 50

export async function showSecurity(
  { slots, about }: ShowSecurityDeps,
  visitor: Visitor,
): Promise<WebOutput<'security'>> {
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

// A company that verifies its own users has one account; everybody else is invited.
export async function isSignUpOpen(
  { databases }: SlotMap,
  { isSignUpOpen: isOpen, purpose }: Installation,
): Promise<boolean> {
  if (!isOpen || purpose === 'provider') return isOpen
  return !(await Promise.all(databases.map((database) => hasAccounts(database)))).includes(true)
}
