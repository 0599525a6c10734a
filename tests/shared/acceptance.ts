// Runs the acceptance checks of the contract that are kept outside this repository, in ../shared.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { compatibilities } from '../../server/src/domain/accounts/service.ts'
import { readConfig } from '../../server/src/process/config/config.ts'
import { type Installation, makeService } from '../support/process/server.ts'

const checks = fileURLToPath(new URL('../../../shared/checks/contract.mjs', import.meta.url))

export async function runSharedChecks(
  installation: Installation,
  base: string,
  settings: Record<string, string> = {},
): Promise<void> {
  const said = await outputOfSharedChecks(installation, base, settings)
  assert.match(said, /^[1-9]\d* passed, 0 failed$/m, said)
}

// Ends with "N passed, N failed". The balance is that of the services which have money.
export async function outputOfSharedChecks(
  installation: Installation,
  base: string,
  settings: Record<string, string>,
  balance = 100,
): Promise<string> {
  // As a customer gets them: the acceptance must pass under the caps of a new service.
  const { newServiceCaps } = readConfig(installation.environment)
  const services = {
    A: await makeService(installation, balance, newServiceCaps),
    B: await makeService(installation, balance, newServiceCaps),
    Z: await makeService(installation, 0, newServiceCaps),
    C: await makeService(installation, balance, { ...newServiceCaps, ...compatibilities.ucaller }),
  }
  const keys = Object.entries(services).flatMap(([name, { key, serviceId }]) => [
    [`${name}_KEY`, key],
    [`${name}_ID`, String(serviceId)],
  ])
  const hook = { HOOK: '1', A_HOOK_SECRET: services.A.webhookSecret }
  const env = { BASE: base, ...hook, ...Object.fromEntries(keys), ...settings }
  const child = spawn(process.execPath, [checks], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [said, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  // It says so, too, when a check failed.
  const failed = Number(/^\d+ passed, (\d+) failed$/m.exec(said)?.[1])
  assert.equal(status, failed === 0 ? 0 : 1, said)
  return said
}
