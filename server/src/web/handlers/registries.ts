import { rollBackRegistries } from '../../actions/roll-back-registries.ts'
import { parseNational } from '../../domain/numbers/national-number.ts'
import type { NumberingStatus } from '../../domain/numbers/numbering-report.ts'
import { Denial } from '../../errors.ts'
import { operatorActor } from './customers.ts'
import type { WebDeps } from './deps.ts'
import type { HandlersOf } from './handlers.ts'

type Names = 'registries' | 'look-up-range' | 'roll-back-registries'

export function registryHandlers(deps: WebDeps): HandlersOf<Names> {
  return {
    registries: async () => {
      const { numberingFiles } = deps
      if (!numberingFiles) return { state: 'absent', ...shownOf(none) }
      return numberingFiles.status().then(
        (status) => ({ state: 'here' as const, ...shownOf(status) }),
        () => ({ state: 'unreadable' as const, ...shownOf(none) }),
      )
    },
    // As the API of this process sees it.
    'look-up-range': async (_, { phone }) => {
      const national = parseNational(phone)
      if (national === undefined) throw new Denial('invalid', ['phone'])
      const index = deps.numbers()
      const { organisation, inn, region, city, isReserve } = index.find(national) ?? {}
      const ported = index.ported(national)
      return {
        isCovered: index.covers(national),
        range:
          organisation === undefined
            ? null
            : { organisation, inn: inn ?? '', region: region ?? '', city: city ?? '', isReserve: isReserve === true },
        ported: ported ? { owner: ported.owner, mnc: ported.mnc } : null,
      }
    },
    'roll-back-registries': async (visit, { version }) => ({
      version: await rollBackRegistries(deps, operatorActor(visit), version),
    }),
  }
}

const none: NumberingStatus = {
  version: '',
  importedAtMs: undefined,
  registries: [],
  ported: undefined,
  changes: undefined,
  previousVersion: undefined,
  fetchedAtMs: undefined,
}

function shownOf(status: NumberingStatus) {
  return {
    version: status.version,
    importedAt: status.importedAtMs ?? null,
    fetchedAt: status.fetchedAtMs ?? null,
    registries: status.registries.map((one) => ({ ...one })),
    ported: status.ported ?? null,
    changes: status.changes ?? null,
    previousVersion: status.previousVersion ?? null,
  }
}
