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

// Start. The client adds an idempotency key, so that a retry never calls or charges twice.
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

// Check the code that the user typed: the last four digits of the caller ID.
const lines = createInterface({ input: process.stdin, output: process.stdout })
const typed = await lines.question('The last four digits of the number that called: ')
lines.close()
console.log(typed === code ? 'Verified.' : 'Wrong code.')
process.exitCode = typed === code ? 0 : 1
