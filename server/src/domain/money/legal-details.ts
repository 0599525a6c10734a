// The two parties of an invoice: the customer's company, and the operator's with its bank.

import type { LegalDetails, Seller } from '@ringproof/contract/web/payments.ts'

export type { LegalDetails, Seller } from '@ringproof/contract/web/payments.ts'

// Without the spaces that people paste along.
export function trimmedDetails(details: LegalDetails): LegalDetails {
  const { name, taxNumber, reasonCode, address } = details
  return { name: name.trim(), taxNumber, reasonCode, address: address.trim() }
}

export function trimmedSeller(seller: Seller): Seller {
  const { bank, bankCode, bankAccount, correspondentAccount, signatory, vatNote } = seller
  return {
    ...trimmedDetails(seller),
    bank: bank.trim(),
    bankCode: bankCode.trim(),
    bankAccount: bankAccount.trim(),
    correspondentAccount: correspondentAccount.trim(),
    signatory: signatory.trim(),
    vatNote: vatNote.trim(),
  }
}

function isTaxNumber(text: string): boolean {
  return /^\d{10}(?:\d{2})?$/.test(text)
}

function isReasonCode(text: string): boolean {
  return /^(?:\d{9})?$/.test(text)
}

// What the schema of a page has checked already; the command line has not.
export function wrongDetail({ name, taxNumber, reasonCode, address }: LegalDetails): keyof LegalDetails | undefined {
  if (name.trim() === '') return 'name'
  if (!isTaxNumber(taxNumber)) return 'taxNumber'
  if (!isReasonCode(reasonCode)) return 'reasonCode'
  return address.trim() === '' ? 'address' : undefined
}
