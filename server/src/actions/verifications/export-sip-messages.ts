// The SIP messages of a call as a capture file (pcap) for Wireshark. Numbers are masked as on the page.

import type { OperatorRight } from '@ringproof/contract/web/access.ts'
import type { SlotMap } from '../../db/core/slot-map.ts'
import { readSipMessages } from '../../db/verifications/sip-message.ts'
import { readVerification } from '../../db/verifications/verification.ts'
import { slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import type { KeyRing } from '../../domain/crypto/sealing.ts'
import { maySeeCode } from '../../domain/verifications/code-visibility.ts'
import { pcapOf } from '../../domain/verifications/pcap.ts'
import { unsealPerson } from '../../domain/verifications/person.ts'
import { fillPlaceholders } from '../../domain/verifications/sip-message.ts'

type Deps = { readonly slots: SlotMap; readonly recordKeys: KeyRing; readonly nowSeconds: () => number }

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
