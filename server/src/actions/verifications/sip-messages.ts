// The SIP messages of a verification, of all its attempts in order. The called number is shown as its mask. The last four
// digits of the caller, in a flash call the code, are shown when the verification has been over for a while, or at once if
// it is a test; only to who may see codes. Hosts and addresses are hidden: they are the operator's.

import type { OperatorRight } from '@ringproof/contract/web/access.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { type AttemptMessages, readSipMessages } from '../../db/verifications/sip-message.ts'
import { readVerification } from '../../db/verifications/verification.ts'
import { slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { maySeeCode } from '../../domain/verifications/code-visibility.ts'
import { pcapOf } from '../../domain/verifications/pcap.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { fillPlaceholders, firstLineOf, hideHosts } from '../../domain/verifications/sip-message.ts'
import { Denial } from '../../process/errors.ts'
import type { OwnReader } from '../people/visitor.ts'

type Deps = {
  readonly slots: SlotMap
  readonly recordKeys: KeyRing
  readonly nowSeconds: () => number
}

export async function showSipMessages(
  { slots, recordKeys, nowSeconds }: Deps,
  reader: OwnReader,
  id: VerificationId,
): Promise<WebOutput<'verification-messages'>> {
  const database = slots.databaseOf(slotOfVerification(id))
  const verification = await readVerification(database, id)
  if (verification?.accountId !== reader.accountId) throw new Denial('not-found')
  const { phoneMask } = unsealPerson(recordKeys, verification.serviceId, verification.personSealed)
  const isShown = maySeeCode(verification, reader.rights, nowSeconds() * 1_000)
  const callerDigits = isShown ? verification.callerNumber?.toString().slice(-4) : undefined
  const shown = shownMessages(await readSipMessages(database, id), phoneMask, callerDigits)
  return {
    ...shown,
    messages: shown.messages.map((message) => ({
      ...message,
      line: hideHosts(message.line),
      text: hideHosts(message.text),
    })),
  }
}

export function shownMessages(
  attempts: readonly AttemptMessages[],
  phoneMask: string,
  callerDigits: string | undefined,
): WebOutput<'verification-messages'> {
  const messages = attempts.flatMap(({ attempt, trunk, messages: stored }) =>
    stored.map((message) => ({ ...message, attempt, trunk })),
  )
  const startedAt = messages[0]?.atMs ?? null
  return {
    startedAt,
    messages: messages.map(({ atMs, isSent, attempt, trunk, text }) => {
      const shown = fillPlaceholders(text, phoneMask, callerDigits)
      return {
        sinceMs: Math.round(atMs - (startedAt ?? 0)),
        isSent,
        attempt,
        trunk,
        line: firstLineOf(shown),
        text: shown,
      }
    }),
  }
}

// The SIP messages of a call as a capture file (pcap) for Wireshark. Numbers are masked as on the page.

// Undefined if no message is stored.
export async function exportSipMessages(
  { slots, recordKeys, nowSeconds }: Deps,
  rights: readonly OperatorRight[],
  id: VerificationId,
): Promise<Buffer | undefined> {
  const database = slots.databaseOf(slotOfVerification(id))
  const verification = await readVerification(database, id)
  if (!verification) return undefined
  const { phoneMask } = unsealPerson(recordKeys, verification.serviceId, verification.personSealed)
  const isShown = maySeeCode(verification, rights, nowSeconds() * 1_000)
  const callerDigits = isShown ? verification.callerNumber?.toString().slice(-4) : undefined
  const datagrams = (await readSipMessages(database, id)).flatMap(({ messages }) =>
    messages.flatMap(({ atMs, source, destination, text }) =>
      source === undefined || destination === undefined
        ? []
        : [{ atMs, source, destination, text: fillPlaceholders(text, phoneMask, callerDigits) }],
    ),
  )
  return datagrams.length === 0 ? undefined : pcapOf(datagrams)
}
