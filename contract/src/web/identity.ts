// Signing up, signing in, and what a person sets about themselves.

import { Type } from 'typebox'
import { purposes } from '../lists/installation.ts'
import { confirmationKinds, factorKinds, languages, typedFactors } from '../lists/people.ts'
import { anyone, managers, memberRoles, operatorRoles, passwordGiven, readers, user } from './access.ts'
import { change, guardedChange, id, object, optionalTime, read, shortId, text, time } from './endpoint.ts'

export const language = Type.Enum([...languages])

const email = Type.String({ maxLength: 254, pattern: '^[^\\s@]{1,64}@[^\\s@]{1,189}$' })
// Long passwords are welcome; the maximum only bounds the work of hashing.
const password = text(1, 200)
const token = text(20, 100)
const sixDigits = Type.String({ pattern: '^[0-9]{6}$' })

// How the second step can be taken.
const factorKind = Type.Enum([...factorKinds])

const installation = object({
  name: Type.String(),
  supportAddress: Type.String(),
  termsUrl: Type.String(),
  privacyUrl: Type.String(),
  termsVersion: Type.String(),
  publicUrl: Type.String(),
  version: Type.String(),
  // ISO 4217.
  currency: Type.String(),
  isSignUpOpen: Type.Boolean(),
  purpose: Type.Enum([...purposes]),
  // Messages land in a folder that the demo shows.
  isDemo: Type.Boolean(),
  hasTelegram: Type.Boolean(),
})

const account = object({
  id,
  name: Type.String(),
  role: Type.Enum([...memberRoles]),
  timeZone: Type.String(),
  balance: Type.Number(),
  mustVerifyPhone: Type.Boolean(),
  createdAt: time,
  // Nothing can be changed any more.
  closedAt: optionalTime,
})

const me = object({
  installation,
  stage: Type.Enum(['signed-out', 'second-step', 'signed-in']),
  // While the second step is open, only the e-mail and the ways to take it.
  factors: Type.Array(factorKind),
  user: Type.Union([
    object({
      email: Type.String(),
      name: Type.String(),
      language,
      operatorRole: Type.Union([Type.Enum([...operatorRoles]), Type.Null()]),
      // An operator without a second factor can only set one up.
      mustAddFactor: Type.Boolean(),
      signedUpAt: time,
    }),
    Type.Null(),
  ]),
  account: Type.Union([account, Type.Null()]),
  accounts: Type.Array(object({ id, name: Type.String(), role: Type.Enum([...memberRoles]) })),
  // An operator looks at this account, and can change nothing until then.
  viewUntil: optionalTime,
})

const afterPassword = object({ stage: Type.Enum(['second-step', 'signed-in']) })

const security = object({
  sessions: Type.Array(
    object({
      id: Type.String(),
      isThis: Type.Boolean(),
      address: Type.String(),
      userAgent: Type.String(),
      createdAt: time,
      seenAt: time,
    }),
  ),
  totp: object({ isOn: Type.Boolean(), recoveryCodesLeft: Type.Integer() }),
  passkeys: Type.Array(object({ id: Type.String(), name: Type.String(), createdAt: time, usedAt: optionalTime })),
  telegram: object({ isAvailable: Type.Boolean(), isOn: Type.Boolean(), name: Type.String() }),
  log: Type.Array(
    object({ action: Type.String(), address: Type.String(), userAgent: Type.String(), at: time, who: Type.String() }),
  ),
  ownPhone: object({ verifiedAt: optionalTime, mask: Type.String() }),
})

const member = object({
  userId: shortId,
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...memberRoles]),
  hasFactor: Type.Boolean(),
  since: time,
})

export const identityEndpoints = {
  me: read(anyone, me),
  'sign-up': change(
    anyone,
    object({
      email,
      password,
      accountName: text(1, 100),
      language,
      acceptsTerms: Type.Boolean(),
      timeZone: text(1, 64),
    }),
  ),
  'confirm-email': change(anyone, object({ token, password: Type.Optional(password) }), afterPassword),
  'sign-in': change(anyone, object({ email, password }), afterPassword),
  'sign-out': change(anyone, object({})),
  'forgot-password': change(anyone, object({ email, language })),
  'reset-password': change(anyone, object({ token, password })),
  // Of somebody who was invited, or of an operator: sets the first password.
  'accept-invitation': change(anyone, object({ token, password, name: text(0, 100), language }), afterPassword),
  'read-invitation': change(
    anyone,
    object({ token }),
    object({ email: Type.String(), accountName: Type.String(), needsPassword: Type.Boolean() }),
  ),
  'passkey-sign-in-options': change(anyone, object({}), object({ options: Type.Unknown() })),
  'passkey-sign-in': change(anyone, object({ response: Type.Unknown() }), afterPassword),

  'second-step': change(passwordGiven, object({ kind: Type.Enum([...typedFactors]), code: text(6, 40) })),
  'second-step-passkey-options': change(passwordGiven, object({}), object({ options: Type.Unknown() })),
  'second-step-passkey': change(passwordGiven, object({ response: Type.Unknown() })),
  'send-telegram-code': change(passwordGiven, object({})),

  'set-profile': change(user, object({ name: Type.Optional(text(0, 100)), language: Type.Optional(language) })),
  'choose-account': change(user, object({ accountId: shortId })),
  security: read(user, security),
  'end-session': change(user, object({ id: text(1, 64) })),
  'end-other-sessions': change(user, object({})),
  // Opens the guarded changes for a while.
  'confirm-person': change(user, object({ kind: Type.Enum([...confirmationKinds]), code: text(1, 200) })),
  'change-password': guardedChange(user, object({ password })),
  'start-totp': guardedChange(user, object({}), object({ secret: Type.String(), uri: Type.String() })),
  'confirm-totp': guardedChange(
    user,
    object({ code: sixDigits }),
    object({ recoveryCodes: Type.Array(Type.String()) }),
  ),
  'remove-totp': guardedChange(user, object({})),
  'renew-recovery-codes': guardedChange(user, object({}), object({ recoveryCodes: Type.Array(Type.String()) })),
  'add-passkey-options': guardedChange(user, object({}), object({ options: Type.Unknown() })),
  'add-passkey': guardedChange(user, object({ name: text(1, 60), response: Type.Unknown() })),
  'remove-passkey': guardedChange(user, object({ id: text(1, 400) })),
  'start-telegram': guardedChange(user, object({}), object({ link: Type.String(), until: time })),
  'remove-telegram': guardedChange(user, object({})),

  'set-account': change(managers, object({ name: Type.Optional(text(1, 100)), timeZone: Type.Optional(text(1, 64)) })),
  // With its name, typed. Keys are revoked and services archived at once; people can still sign in and read.
  'close-account': guardedChange(managers, object({ name: text(1, 254) })),
  members: read(
    readers,
    object({
      members: Type.Array(member),
      invitations: Type.Array(object({ email: Type.String(), role: Type.Enum([...memberRoles]), until: time })),
    }),
  ),
  'invite-member': guardedChange(managers, object({ email, role: Type.Enum([...memberRoles]), language })),
  'withdraw-invitation': change(managers, object({ email })),
  'set-member': guardedChange(managers, object({ userId: shortId, role: Type.Enum([...memberRoles]) })),
  'remove-member': guardedChange(managers, object({ userId: shortId })),

  // The account's own phone, by our own flash call: clears code 1005.
  'call-own-phone': change(managers, object({ phone: text(8, 20) }), object({ mask: Type.String() })),
  'confirm-own-phone': change(managers, object({ code: Type.String({ pattern: '^[0-9]{4}$' }) })),
}
