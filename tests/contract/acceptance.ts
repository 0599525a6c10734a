// The acceptance of the contract: black-box checks over HTTP, each a separate subtest. A check creates its own services,
// so checks run at once and need no order.

import { type TestContext, test } from 'node:test'
import { readConfig } from '../../server/src/process/config/config.ts'
import { type Installation, makeService } from '../support/process/server.ts'
import { authenticationChecks } from './acceptance/authentication.ts'
import { callChecks } from './acceptance/calls.ts'
import type { Check, Deployment } from './acceptance/deployment.ts'
import { inboundChecks } from './acceptance/inbound.ts'
import { infoChecks } from './acceptance/info.ts'
import { informationChecks } from './acceptance/information.ts'
import { rateChecks } from './acceptance/rates.ts'
import { requestChecks } from './acceptance/requests.ts'
import { startChecks } from './acceptance/start.ts'

const checksAtOnce = 6

export const checkGroups = {
  authentication: authenticationChecks,
  requests: requestChecks,
  information: informationChecks,
  start: startChecks,
  calls: callChecks,
  info: infoChecks,
  inbound: inboundChecks,
} as const
export type CheckGroup = keyof typeof checkGroups

// The deployment must allow a thousand requests a second from one address.
export function testContract(
  name: string,
  installation: Installation,
  base: string,
  groups: readonly CheckGroup[] = Object.keys(checkGroups) as CheckGroup[],
): void {
  const checks = groups.flatMap((group): readonly Check[] => checkGroups[group])
  const serial = checks.filter(({ failsAuthentication }) => failsAuthentication)
  const parallel = checks.filter(({ failsAuthentication }) => !failsAuthentication)
  test(name, { concurrency: checksAtOnce + 1 }, async (t) => {
    const deployment = deploymentOf(installation, base)
    const runLane = async (queue: Check[]) => {
      for (let next = queue.shift(); next; next = queue.shift()) await runCheck(t, deployment, next)
    }
    await Promise.all([runLane(serial), ...Array.from({ length: checksAtOnce }, () => runLane(parallel))])
  })
}

// The deployment must have the default rates, and no other clients.
export function testRates(name: string, installation: Installation, base: string): void {
  test(name, async (t) => {
    for (const check of rateChecks) await runCheck(t, deploymentOf(installation, base), check)
  })
}

function runCheck(t: TestContext, deployment: Deployment, { name, run }: Check): Promise<void> {
  return t.test(name, () => run(deployment))
}

// Services have the caps of a new customer: the contract must hold under them.
function deploymentOf(installation: Installation, base: string): Deployment {
  const { newServiceCaps } = readConfig(installation.environment)
  return { base, newService: (balance) => makeService(installation, balance, newServiceCaps) }
}
