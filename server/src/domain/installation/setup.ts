// The steps from an empty installation to the first real call, by what doctor finds and what the database knows.

import { type setupStates, setupSteps } from '@ringproof/contract/lists/installation.ts'
import type { CheckName } from './checks.ts'
import type { Finding } from './finding.ts'
import type { Purpose } from './purpose.ts'

export type SetupStep = (typeof setupSteps)[number]

type SetupState = (typeof setupStates)[number]

export type SetupFacts = {
  readonly purpose: Purpose
  // Carriers that are switched on, in the order in which they are tried.
  readonly trunks: readonly string[]
  readonly numbers: number
  // With a price that is in force.
  readonly tariffs: number
  // A phone has rung over one of the trunks.
  readonly hasRung: boolean
}

type Evaluated = { readonly step: SetupStep; readonly state: SetupState; readonly findings: readonly Finding[] }

export function evaluateSetup(facts: SetupFacts, findings: readonly Finding[]): readonly Evaluated[] {
  const needed = setupSteps.filter((step) => facts.purpose === 'provider' || step !== 'tariff')
  return needed.map((step) => {
    const { checks, warningIs, isThere } = steps[step]
    const own = findings.filter((finding) => checks.includes(finding.check) && concerns(facts, finding))
    // What could not be examined is not known to be done.
    const isKnown = isThere !== undefined || own.length > 0
    if (!isKnown || isThere?.(facts) === false) return { step, state: 'open', findings: own }
    return { step, state: stateOf(own, warningIs), findings: own }
  })
}

type Rule = {
  readonly checks: readonly CheckName[]
  // Some checks warn of what is missing, others of what could be better.
  readonly warningIs: 'attention' | 'open'
  readonly isThere?: (facts: SetupFacts) => boolean
}

const steps: Readonly<Record<SetupStep, Rule>> = {
  trunk: {
    checks: ['trunks', 'public-address'],
    warningIs: 'open',
    isThere: ({ trunks }) => trunks.length > 0,
  },
  numbers: { checks: ['codes'], warningIs: 'attention', isThere: ({ numbers }) => numbers > 0 },
  tariff: { checks: [], warningIs: 'open', isThere: ({ tariffs }) => tariffs > 0 },
  registry: { checks: ['registry'], warningIs: 'open' },
  tls: { checks: ['proxy', 'certificates'], warningIs: 'attention' },
  messages: { checks: ['mail', 'telegram'], warningIs: 'open' },
  backup: { checks: ['backup'], warningIs: 'open' },
  call: { checks: [], warningIs: 'open', isThere: ({ hasRung }) => hasRung },
}

// A trunk that is switched off, or that only simulates calls, is no part of the way to the first call.
function concerns({ trunks }: SetupFacts, { check, subject }: Finding): boolean {
  return check !== 'trunks' || subject === '' || trunks.includes(subject)
}

function stateOf(findings: readonly Finding[], warningIs: 'attention' | 'open'): SetupState {
  if (findings.some(({ level }) => level === 'bad')) return 'open'
  return findings.some(({ level }) => level === 'warning') ? warningIs : 'done'
}
