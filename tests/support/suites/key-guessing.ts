// An attacker guesses the key of a service at a steady rate from one address, while customers continue from theirs.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { makeApiKey } from '../../../server/src/domain/accounts/api-key.ts'
import { type Asked, ask } from '../http/ask.ts'
import { install, makeService, serveProcess } from '../process/server.ts'

const failuresPerSecond = 5

export async function guessKeys(guesses: number, perSecond: number): Promise<void> {
  const installation = await install()
  const [guessed, other] = [await makeService(installation), await makeService(installation)]
  const { base, running } = await serveProcess(installation, {
    RINGPROOF_TRUSTED_PROXIES: '127.0.0.1',
    RINGPROOF_REQUESTS_PER_SECOND: '1000',
  })
  const from = (address: string, authorization: string) =>
    ask(`${base}/v1.0/getBalance`, { headers: { authorization, 'x-forwarded-for': address } })
  const wrong = () => `Bearer ${makeApiKey(randomBytes(64))}.${guessed.serviceId}`

  const startedMs = performance.now()
  const asked: Promise<Asked>[] = []
  const customers: Promise<Asked>[] = []
  while (asked.length < guesses) {
    const due = Math.min(guesses, ((performance.now() - startedMs) / 1000) * perSecond)
    while (asked.length < due) {
      asked.push(from('198.51.100.1', wrong()))
      // With every tenth guess, a customer of the same service sends a request, and one of another service.
      if (asked.length % 10 === 0) customers.push(from('198.51.100.2', guessed.bearer.authorization))
      if (asked.length % 10 === 5) customers.push(from('198.51.100.3', other.bearer.authorization))
    }
    await Promise.race([asked.at(-1), customers.at(-1)])
  }
  const codes = Map.groupBy(await Promise.all(asked), ({ json }) => json['code'])
  const served = await Promise.all(customers)
  const seconds = (performance.now() - startedMs) / 1000
  const evaluated = codes.get(401)?.length ?? 0
  const turnedAway = codes.get(0)?.length ?? 0
  assert.equal(evaluated + turnedAway, guesses, `other answers: ${[...codes.keys()].join(', ')}`)
  assert(
    evaluated >= failuresPerSecond && evaluated <= failuresPerSecond * (seconds + 1),
    `${evaluated} in ${seconds} s`,
  )
  assert.deepEqual(
    served.filter(({ status }) => status !== 200).map(({ json }) => json),
    [],
    'customers at other addresses',
  )
  assert(served.length >= guesses / 5 - 2)

  running.process.kill('SIGTERM')
  const { out } = await running.ended
  const lines = out.split('\n').filter((line) => line.includes('"authentication failed"'))
  const warnings = lines.map((line) => JSON.parse(line) as { level: string; service_id: number; failures: number })
  assert(lines.length >= 1 && lines.length <= 1 + Math.ceil(seconds / 60), 'one line a minute')
  assert(warnings.every(({ level, service_id: id }) => level === 'warn' && id === guessed.serviceId))
  assert(warnings.reduce((sum, { failures }) => sum + failures, 0) >= evaluated)
  process.stdout.write(
    `# ${guesses} wrong keys in ${seconds.toFixed(1)} s: ${evaluated} answered 401, ${turnedAway} turned away\n`,
  )
}
