// `ringproof doctor` inside the test's own process, with its real probes.

import assert from 'node:assert/strict'
import type { CheckName } from '../../../server/src/domain/installation/checks.ts'
import type { Finding, Level } from '../../../server/src/domain/installation/finding.ts'
import { createInstallationProbes } from '../../../server/src/roles/installation-probes.ts'
import type { Environment } from './cli.ts'
import { createCli } from './cli-in-process.ts'

export type Examined = { readonly findings: readonly Finding[]; readonly exitCode: number; readonly text: string }

export async function examined(environment: Environment): Promise<Examined> {
  let exitCode = 0
  const cli = createCli(
    { RINGPROOF_REGISTRY_URL: '', ...environment },
    {
      installationProbes: async (config, clock) => createInstallationProbes(config, clock),
      exitWith: (code) => {
        exitCode = code
      },
    },
  )
  const { out, err } = await cli.run('doctor', '--json')
  assert.equal(err, '')
  const { findings, ...counts } = JSON.parse(out) as { findings: readonly Finding[] } & Record<Level, number>
  assert.equal(counts.good + counts.warning + counts.bad, findings.length)
  assert.equal(exitCode, counts.bad === 0 ? 0 : 1)
  return { findings, exitCode, text: out }
}

// The one finding of a check at this level, which must be the only bad one, if it is bad.
export function assertFound(
  { findings }: Examined,
  level: 'warning' | 'bad',
  check: CheckName,
  cause: RegExp,
  fix: RegExp,
): void {
  const found = findings.filter((finding) => finding.check === check && finding.level === level)
  assert.equal(found.length, 1, JSON.stringify(findings, undefined, 1))
  const [first] = found
  assert.match(first?.cause ?? '', cause)
  assert.match(first?.fix ?? '', fix)
  assert.deepEqual(
    badOnes(findings).filter((one) => one !== first),
    [],
  )
}

export function badOnes(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ level }) => level === 'bad')
}
