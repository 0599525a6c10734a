// Verifies a phone number by a call, with @ringproof/client. In this repository: npx node examples/node/call.mjs
// Run it with BASE_URL, KEY and SERVICE_ID set, and PHONE for another number.

import { createInterface } from 'node:readline/promises'
import { Ringproof } from '@ringproof/client'

const number = process.env.PHONE ?? '79000000001'
const ringproof = new Ringproof({
  baseUrl: process.env.BASE_URL,
  key: process.env.KEY,
  serviceId: process.env.SERVICE_ID,
})

// Start. The client adds an idempotency key, so that a retry never calls or charges twice. The code is good for ten minutes.
const expires = Date.now() + 600_000
const { vendor_id, phone, code } = await ringproof.initCall({ phone: number })
console.log(`Calling ${phone}, verification ${vendor_id}`)

// Wait for the call to end, which takes at most a minute.
const { call_status } = await ringproof.waitForResult(vendor_id)
if (call_status !== 1) {
  console.log('The phone could not be reached.')
  process.exit(1)
}

// No phone rings for the test number, so show what to type. Never show the code of a real number.
if (number === '79000000001') console.log(`This is a test number. Type ${code}`)

// Check what the user types: the last four digits of the caller ID. Three guesses, because there are only 10 000 codes.
const lines = createInterface({ input: process.stdin, output: process.stdout })
for (const guess of [1, 2, 3]) {
  const typed = await lines.question('The last four digits of the number that called: ')
  if (Date.now() >= expires) {
    console.log('The code has expired.')
    process.exit(1)
  }
  if (typed === code) {
    console.log('Verified.')
    process.exit()
  }
  console.log(`Wrong code, guess ${guess} of 3.`)
}
process.exit(1)
