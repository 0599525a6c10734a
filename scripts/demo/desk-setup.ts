// Sets where the customers of the demo pay and who sends invoices, and opens the desk that is that page.

import { randomBytes } from 'node:crypto'
import { createSlotMap } from '../../server/src/db/core/slot-map.ts'
import { readCurrency } from '../../server/src/db/installation/installation.ts'
import { paymentSettingsId, writePageLink, writePaymentSecret, writeSeller } from '../../server/src/db/money/payment.ts'
import { slotsAll } from '../../server/src/domain/core/slot.ts'
import { nonceBytes, seal } from '../../server/src/domain/crypto/sealing.ts'
import { makeWebhookSecret, webhookSecretRandomBytes } from '../../server/src/domain/webhooks/webhook.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { type Desk, openDesk, paymentPage } from './desk.ts'
import type { Seeded } from './people.ts'

const seller = {
  name: 'Example Telecom LLC',
  taxNumber: '0000000000',
  reasonCode: '000000000',
  address: '1 Example street',
  bank: 'A bank that is none',
  bankCode: '000000000',
  bankAccount: '00000000000000000000',
  correspondentAccount: '00000000000000000000',
  signatory: 'A. Director',
  vatNote: 'VAT is not charged.',
}

export async function openPaidDesk(
  environment: NodeJS.ProcessEnv,
  { operator }: Seeded,
  { url: publicUrl, ...place }: { readonly url: string; readonly host: string; readonly port: number },
): Promise<Desk> {
  const ownerUrl = environment['RINGPROOF_DATABASE_OWNER_URL'] ?? ''
  const slots = createSlotMap(new Map(slotsAll.map((slot) => [slot, ownerUrl])))
  const { globalDatabase } = slots
  const recordKeys = readSecrets(environment['RINGPROOF_SECRETS_DIR'] ?? '')['seal-records']
  try {
    const currency = await readCurrency(globalDatabase)
    const paymentSecret = makeWebhookSecret(randomBytes(webhookSecretRandomBytes))
    const totpSecret = fromBase32(operator.totpSecret)
    const desk = await openDesk({ totpSecret, paymentSecret, currency, publicUrl, ...place })
    const nonce = randomBytes(nonceBytes)
    await writePaymentSecret(
      globalDatabase,
      seal(recordKeys, 'payment-secret', paymentSettingsId, paymentSecret, nonce),
    )
    await writePageLink(globalDatabase, paymentPage(desk))
    await writeSeller(globalDatabase, seller)
    return desk
  } finally {
    await slots.close()
  }
}

// As authenticator apps read it.
function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
