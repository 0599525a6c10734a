// What operators set about the whole installation.

import { Type } from 'typebox'
import { findingLevels, purposes, setupStates, setupSteps } from '../lists/installation.ts'
import { admins, consoleReaders, helpers, operatorRoles } from './access.ts'
import { change, guardedChange, nothing, object, optionalTime, read, shortId, text, time } from './endpoint.ts'
import { language } from './identity.ts'

const link = Type.String({ maxLength: 500, pattern: '^(https?://\\S+)?$' })

const settings = object({
  name: text(1, 80),
  supportAddress: text(0, 200),
  termsUrl: link,
  privacyUrl: link,
  // Stored with every acceptance.
  termsVersion: text(0, 40),
  isSignUpOpen: Type.Boolean(),
  purpose: Type.Enum([...purposes]),
})

// What `ringproof doctor` finds, as this process sees the installation.
const finding = object({
  check: Type.String(),
  // Which server, trunk, country or file; empty if there is only one.
  subject: Type.String(),
  level: Type.Enum([...findingLevels]),
  // In English, as the command line has it.
  cause: Type.String(),
  // One command, or one setting to set.
  fix: Type.Union([Type.String(), Type.Null()]),
})

const setupStep = object({
  step: Type.Enum([...setupSteps]),
  state: Type.Enum([...setupStates]),
  findings: Type.Array(finding),
})

export const installationEndpoints = {
  installation: read(consoleReaders, settings),
  // The worst first.
  examination: read(consoleReaders, object({ at: time, findings: Type.Array(finding) })),
  // From an empty installation to the first real call, in this order.
  setup: read(
    consoleReaders,
    object({
      steps: Type.Array(setupStep),
      // Carriers that are switched on.
      trunks: Type.Array(Type.String()),
      numbers: Type.Integer(),
      tariffs: Type.Integer(),
    }),
  ),
  // A file for people who help from outside.
  'support-bundle': change(helpers, nothing, object({ name: Type.String(), text: Type.String() })),
  'set-installation': guardedChange(admins, settings),
  operators: read(
    consoleReaders,
    object({
      operators: Type.Array(
        object({
          userId: shortId,
          email: Type.String(),
          name: Type.String(),
          role: Type.Enum([...operatorRoles]),
          hasFactor: Type.Boolean(),
          seenAt: optionalTime,
          createdAt: time,
        }),
      ),
    }),
  ),
  'invite-operator': guardedChange(
    admins,
    object({ email: Type.String({ maxLength: 254 }), role: Type.Enum([...operatorRoles]), language }),
  ),
  'set-operator': guardedChange(
    admins,
    object({ userId: shortId, role: Type.Union([Type.Enum([...operatorRoles]), Type.Null()]) }),
  ),
}
