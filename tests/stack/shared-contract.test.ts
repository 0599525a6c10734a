// The acceptance of the contract that lies beside the project, where it does: its part that is built so far.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install, makeService, serve } from '../support/served.ts'

const checks = fileURLToPath(new URL('../../../shared/checks/contract.mjs', import.meta.url))
const skip = existsSync(checks) ? false : 'there is no shared folder beside the project'
const built = '^(auth|root|verbs|every|path|health|getBalance|getService$|getAccount|errors)'

const installation = await install()
const [a, b, z] = [await makeService(installation), await makeService(installation), await makeService(installation, 0)]

async function accept(settings: Record<string, string>, rates: Record<string, string>): Promise<void> {
  const { base } = await serve(installation, rates)
  const { status, stdout } = spawnSync(process.execPath, [checks], {
    encoding: 'utf8',
    env: {
      BASE: base,
      A_KEY: a.key,
      A_ID: String(a.serviceId),
      B_KEY: b.key,
      B_ID: String(b.serviceId),
      Z_KEY: z.key,
      Z_ID: String(z.serviceId),
      ...settings,
    },
  })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^[1-9]\d* passed, 0 failed$/m)
}

test('the checks of what is built are green', { skip }, () =>
  accept({ ONLY: built }, { RINGPROOF_REQUESTS_PER_SECOND: '1000' }),
)

test('the checks of rates are green on the defaults', { skip }, () =>
  accept({ RATE: '1' }, { RINGPROOF_REQUESTS_PER_SECOND: '30' }),
)
