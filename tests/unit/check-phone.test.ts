import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPhone } from '../../server/src/actions/numbers/check-phone.ts'
import type { ApiClient } from '../../server/src/domain/accounts/api-client.ts'
import type { MicroAmount } from '../../server/src/domain/money/money.ts'
import type { NumberingIndex } from '../../server/src/domain/numbers/numbering-index.ts'

const price = {
  method: 'checkPhone',
  mode: '',
  country: '*',
  price: 100_000 as MicroAmount,
  validFrom: new Date(0),
} as const

function numberingIndexOf(letter: string): NumberingIndex {
  const range = { organisation: letter, inn: '', region: letter, city: letter, isReserve: false }
  return { version: letter, covers: () => true, find: () => range, ported: () => ({ owner: letter, mnc: '' }) }
}

// An index that returns nothing once it is no longer current.
function createFor(isOpen: () => boolean, index: NumberingIndex): NumberingIndex {
  return { ...index, find: (national) => (isOpen() ? index.find(national) : undefined) }
}

test('a response comes from one index, even if another is loaded meanwhile', async () => {
  // Every read of the index returns another one.
  let asked = 0
  let isCharged = false
  const deps = {
    numbers: () => createFor(() => !isCharged, numberingIndexOf(String.fromCodePoint(0x41 + asked++))),
    prices: () => ({ pricesOf: () => [price], readAt: new Date() }),
    charge: async () => {
      isCharged = true
      return { charged: true, balance: 0 as MicroAmount }
    },
  }
  const response = await checkPhone(deps, { tariff: 'uni' } as ApiClient, { phone: '79070000001', language: 'en' })
  assert('provider' in response)
  const { provider, company, region, city } = response
  assert.deepEqual([provider, company, region, city], ['A', 'A', 'A', 'A'])
})
