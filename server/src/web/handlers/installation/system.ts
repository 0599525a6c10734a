// The state of the installation itself.

import { findingLevels } from '@ringproof/contract/lists/installation.ts'
import { makeSupportBundle } from '../../../actions/installation/make-support-bundle.ts'
import { showSetup } from '../../../actions/installation/setup.ts'
import type { Finding } from '../../../domain/installation/finding.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, operatorActor } from '../core/handlers.ts'

export function systemHandlers(deps: WebDeps) {
  return {
    examination: async () => {
      const { atMs, findings } = await deps.examine()
      return { at: atMs, findings: worstFirst(findings) }
    },
    setup: async () => {
      const { findings } = await deps.examine()
      const { steps, trunks, numbers, tariffs } = await showSetup(deps, findings)
      return {
        steps: steps.map(({ step, state, findings: own }) => ({ step, state, findings: worstFirst(own) })),
        trunks: [...trunks],
        numbers,
        tariffs,
      }
    },
    'support-bundle': async (visit) => {
      const bundle = await makeSupportBundle({ ...deps, version: deps.about.version }, operatorActor(visit))
      return { name: bundle.name, text: bundle.text }
    },
  } satisfies Partial<Handlers>
}

function worstFirst(findings: readonly Finding[]) {
  return findings
    .toSorted((one, other) => findingLevels.indexOf(other.level) - findingLevels.indexOf(one.level))
    .map(({ fix, ...finding }) => ({ ...finding, fix: fix ?? null }))
}
