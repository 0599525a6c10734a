// Places one flash call for the operator's trunk test, over its own ARI connection. It belongs to no verification.

import type { TestCall } from '../../actions/trunks/trunk-tests.ts'
import type { CallProgress } from '../../domain/verifications/call-outcome.ts'
import { callDeadlineMs } from '../../domain/verifications/verification.ts'
import { UsageError } from '../../process/errors.ts'
import { createGuestSwitch, type SwitchDeps } from './create-switch.ts'
import { placeCall } from './place-call.ts'

const connectTimeoutMs = 5_000

export async function placeTestCall(
  deps: Omit<SwitchDeps, 'trunks' | 'failed'>,
  { trunk, to, from }: TestCall,
): Promise<CallProgress> {
  if (!deps.config.switch) throw new UsageError('RINGPROOF_SWITCH is empty: this machine places no calls')
  const failure = Promise.withResolvers<never>()
  const failed = (why: string) => failure.reject(new UsageError(why))
  const phones = createGuestSwitch({ ...deps, trunks: () => [{ ...trunk, isOn: true }], failed })
  const over = new AbortController()
  try {
    const timeout = deps.clock.sleep(connectTimeoutMs, over.signal).then(() => failed('Asterisk does not answer'))
    await Promise.race([phones.opened, failure.promise, timeout.then(() => failure.promise)])
    const { progress } = placeCall(
      { switch: phones, clock: deps.clock },
      {
        channelId: `trunk-${trunk.name}`,
        trunk: trunk.name,
        to,
        from,
        mode: 'flash',
        code: '',
        language: 'ru',
        ringMs: (trunk.ringSeconds ?? deps.config.flashRingSeconds) * 1_000,
        countsEarlyMedia: trunk.countsEarlyMedia,
        callDeadlineMs,
      },
    )
    return await progress
  } finally {
    failure.promise.catch(() => undefined)
    over.abort()
    await phones.close()
  }
}
