// Times the steps of a start: plan, accept and dispatch. It wraps what the action is given, so that the action itself knows
// nothing of traces.

import type { StartDeps, startVerification } from '../../actions/verifications/start-verification.ts'
import type { VerificationId } from '../../domain/core/slot.ts'
import type { Clock } from '../../process/clock.ts'
import type { Span, Traces } from '../../process/traces/traces.ts'

type Start = typeof startVerification

export function traceStart(traces: Traces, clock: Clock, start: Start): Start {
  return async (deps, apiClient, command) => {
    const steps: Span[] = []
    const response = await start(
      timed(deps, clock, (span) => {
        // Asked about two trunks: the plan ends with the last question.
        if (span.name === 'plan' && steps.at(-1)?.name === 'plan') steps.pop()
        steps.push(span)
      }),
      apiClient,
      command,
    )
    if (response.exists !== true) for (const step of steps) traces.record(response.vendor_id as VerificationId, step)
    return response
  }
}

function timed(deps: StartDeps, clock: Clock, note: (span: Span) => void): StartDeps {
  const { batches, dispatchCall, queueFaultOf } = deps
  const plannedFromMs = clock.monotonicMs()
  const step =
    <Input, Result>(name: Span['name'], work: (input: Input) => Promise<Result>) =>
    async (input: Input): Promise<Result> => {
      const startedMs = clock.monotonicMs()
      const result = await work(input)
      note({ name, startedMs, endedMs: clock.monotonicMs() })
      return result
    }
  return {
    ...deps,
    batches: {
      ...batches,
      accept: step('accept', batches.accept),
      acceptRepeat: step('accept', batches.acceptRepeat),
    },
    // The last question of the plan: number lookup, fraud rules, code and route are decided.
    queueFaultOf: (trunk) => {
      note({ name: 'plan', startedMs: plannedFromMs, endedMs: clock.monotonicMs(), attributes: { trunk } })
      return queueFaultOf(trunk)
    },
    dispatchCall: step('dispatch', dispatchCall),
  }
}
