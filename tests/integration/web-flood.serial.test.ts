// Twelve addresses guess as fast as they may. Measures time, so nothing runs beside it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { install, serveProcess } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { password, signUp } from '../support/web/people.ts'
import { createVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serveProcess(await install(), settings, '--roles', 'api,web')
const site = { base, mailDir }

const tries = 8
// A quiet sign-in takes 0.3 s on any machine, so this is 2 s where a hash does not take long.
const slowerMax = 6

test('while twelve addresses guess, a known browser signs in and an open session confirms, 8 of 8', async (t) => {
  const { visitor, email } = await signUp(site)
  const signIn = async () => {
    const known = createVisitor(base)
    known.browser = visitor.browser
    return timed(() => known.send('sign-in', { email, password }))
  }
  const confirm = () => timed(() => visitor.send('confirm-person', { kind: 'password', code: password }))
  const quiet = [await signIn(), await signIn(), await signIn()]
  const flood = startGuessing(12)
  try {
    await flood.isFull
    const signedIn = []
    const confirmed = []
    for (let n = 0; n < tries; n++) {
      signedIn.push(await signIn())
      confirmed.push(await confirm())
    }
    t.diagnostic(`quiet ${shown(quiet)}, sign-in ${shown(signedIn)}, confirm ${shown(confirmed)}, ${flood.shown()}`)
    for (const { status } of [...signedIn, ...confirmed]) assert.equal(status, 200)
    const [floodMs, quietMs] = [median([...signedIn, ...confirmed]), median(quiet)]
    assert.ok(floodMs < slowerMax * quietMs, `${floodMs.toFixed(0)} ms, quiet ${quietMs.toFixed(0)} ms`)
  } finally {
    await flood.stop()
  }
})

// Full rate: the server lets an address try five times a second.
function startGuessing(addresses: number) {
  const statuses: Record<number, number> = {}
  const over = new AbortController()
  let n = 0
  const full = Promise.withResolvers<void>()
  const guess = async (address: string) => {
    const attempt = { email: `n${n++}@example.net`, password: 'x' }
    // A machine that is too slow for them drops some.
    const sent = createVisitor(base).send('sign-in', attempt, { 'x-forwarded-for': address })
    const status = await sent.then(
      (answer) => answer.status,
      () => 0,
    )
    statuses[status] = (statuses[status] ?? 0) + 1
    // The line is full: from now on guesses are turned away.
    if (status === 429) full.resolve()
  }
  const all = Array.from({ length: addresses }, async (_, a) => {
    const sent: Promise<void>[] = []
    while (!over.signal.aborted) {
      sent.push(guess(`203.0.113.${a + 1}`))
      await sleep(200)
    }
    await Promise.all(sent)
  })
  return {
    isFull: full.promise,
    shown: () => `${n} guesses ${JSON.stringify(statuses)}`,
    stop: async () => {
      over.abort()
      await Promise.all(all)
    },
  }
}

async function timed(send: () => Promise<{ readonly status: number }>) {
  const startedMs = performance.now()
  const { status } = await send()
  return { status, ms: performance.now() - startedMs }
}

function median(all: readonly { readonly ms: number }[]): number {
  return all.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
}

function shown(all: readonly { readonly status: number; readonly ms: number }[]): string {
  return all.map(({ status, ms }) => `${status}/${ms.toFixed(0)}`).join(' ')
}
