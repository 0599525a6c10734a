// Runs where the demo can be reached: in the box of Docker, or in the network of its container.
//
//   node demo-inside.ts ring URL KEY EMAIL PASSWORD     calls the test number, and ends when it rings on the page Virtual phones
//   node demo-inside.ts sign-in URL EMAIL PASSWORD      prints the session of an operator who has yet to type a code
//   node demo-inside.ts second-step URL SESSION CODE    prints who has signed in

import assert from 'node:assert/strict'
import { poll } from '../support/poll.ts'
import { createVisitor } from '../support/web/visitor.ts'

const [what = '', url = '', ...given] = process.argv.slice(2)
const visitor = createVisitor(url)

if (what === 'ring') await ring(given[0] ?? '', given[1] ?? '', given[2] ?? '')
if (what === 'sign-in') {
  await visitor.call('sign-in', { email: given[0] ?? '', password: given[1] ?? '' })
  process.stdout.write(visitor.cookie)
}
if (what === 'second-step') {
  visitor.cookie = given[0] ?? ''
  await visitor.call('second-step', { kind: 'totp', code: given[1] ?? '' })
  process.stdout.write(JSON.stringify(await visitor.call('me')))
}

async function ring(key: string, email: string, password: string): Promise<void> {
  const page = await fetch(`${url}/dashboard`)
  assert.match(await page.text(), /<div id="root"/)
  const headers = { authorization: `Bearer ${key}` }
  const started = await fetch(`${url}/v1.0/initCall?phone=79000000001`, { headers })
  const { vendor_id: id } = (await started.json()) as { vendor_id: number }
  await visitor.call('sign-in', { email, password })
  const isRinging = async () => {
    const { calls, areReal } = await visitor.call('phones')
    return areReal && calls.some((call) => call.id === id && call.rangMs !== null)
  }
  // A page asks no oftener.
  await poll('the phone to ring', isRinging, Boolean, { intervalMs: 250 })
}
