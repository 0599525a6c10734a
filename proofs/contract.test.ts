// The acceptance of the contract, as often and over as many processes and databases as it must hold.

import { test } from 'node:test'
import { accept, built, skip } from '../tests/support/acceptance.ts'
import { openBalancer } from '../tests/support/balancer.ts'
import { installPhones } from '../tests/support/phones.ts'
import { serve } from '../tests/support/served.ts'

const rates = { RINGPROOF_REQUESTS_PER_SECOND: '1000' }

test('three times in a row on one deployment', { skip }, async () => {
  const installation = await installPhones(1)
  const { base } = await serve(installation, rates)
  for (let n = 0; n < 3; n++) await accept(installation, base, { ONLY: built })
})

test('four processes behind one address, over two databases', { skip }, async () => {
  const installation = await installPhones(1, 2)
  const bases: string[] = []
  for (let n = 0; n < 4; n++) bases.push((await serve(installation, rates)).base)
  await accept(installation, await openBalancer(bases), { ONLY: built })
})

test('four processes behind one address, over one database', { skip }, async () => {
  const installation = await installPhones(1)
  const bases: string[] = []
  for (let n = 0; n < 4; n++) bases.push((await serve(installation, rates)).base)
  await accept(installation, await openBalancer(bases), { ONLY: built })
})
