// Verifies a phone by a call, with the client from npm: npm install @ringproof/client
// Run it with BASE_URL, KEY and SERVICE_ID set.

import { createInterface } from 'node:readline/promises'
import { Ringproof } from '@ringproof/client'

const ringproof = new Ringproof({
  baseUrl: process.env.BASE_URL,
  key: process.env.KEY,
  serviceId: process.env.SERVICE_ID,
})

// Start. The client sends a key of its own along, so that nobody is called twice when it has to ask again.
const { vendor_id, phone, code } = await ringproof.initCall({ phone: '79000000001' })
console.log(`Calling ${phone}, verification ${vendor_id}`)

// Wait until the call has ended: a minute at most.
const { call_status } = await ringproof.waitForResult(vendor_id)
if (call_status !== 1) {
  console.log('The phone could not be reached.')
  process.exit(1)
}

// Verify what the person typed: the last four digits of the number that rang.
const lines = createInterface({ input: process.stdin, output: process.stdout })
const typed = await lines.question('The last four digits of the number that called: ')
lines.close()
console.log(typed === code ? 'Verified.' : 'Wrong code.')
process.exitCode = typed === code ? 0 : 1
