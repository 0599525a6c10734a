import { rollBackRegistries, updateRegistries } from '../../../actions/numbers/registries.ts'
import type { ChangeSum, NumberingStatus, VersionDiff } from '../../../domain/numbers/numbering-report.ts'
import { parseNational } from '../../../domain/numbers/phone-number.ts'
import { Denial, UsageError } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, operatorActor } from '../core/handlers.ts'

export function registryHandlers(deps: WebDeps) {
  return {
    registries: async () => {
      const { numberingFiles, registryFetch } = deps
      if (!numberingFiles) return { state: 'absent', ...shownOf(none, registryFetch) }
      return numberingFiles.status().then(
        (status) => ({ state: 'here' as const, ...shownOf(status, registryFetch) }),
        () => ({ state: 'unreadable' as const, ...shownOf(none, registryFetch) }),
      )
    },
    'registry-diff': async () => {
      const reading = deps.numberingFiles?.diff() ?? Promise.resolve(undefined)
      return reading.then(
        (diff) => (diff ? { state: 'here' as const, ...diffOf(diff) } : { state: 'none' as const, ...diffOf(noDiff) }),
        () => ({ state: 'unreadable' as const, ...diffOf(noDiff) }),
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
    'update-registries': async (visit) => {
      const { isOn, request } = deps.registryFetch
      const fetchNow = async () => {
        if (!isOn || !(await request())) throw new Denial('unavailable')
        return undefined
      }
      await updateRegistries({ slots: deps.slots, fetchNow }, operatorActor(visit))
    },
    'roll-back-registries': async (visit, { version: seenVersion }) => {
      const { slots, numberingFiles: files } = deps
      if (!files) throw new Denial('unavailable')
      const readVersion = async () => (await files.status()).version
      const rollBack = () =>
        files.rollBack().catch((error: unknown) => {
          throw error instanceof UsageError ? new Denial('unavailable') : error
        })
      const actor = operatorActor(visit)
      return { version: await rollBackRegistries({ slots, readVersion, rollBack }, actor, seenVersion) }
    },
  } satisfies Partial<Handlers>
}

const none: NumberingStatus = {
  version: '',
  importedAtMs: undefined,
  registries: [],
  ported: undefined,
  changes: undefined,
  previousVersion: undefined,
  fetchedAtMs: undefined,
  lastAttempt: undefined,
  isFetching: false,
}

function shownOf(status: NumberingStatus, { isOn, everyHours }: WebDeps['registryFetch']) {
  const { lastAttempt, isFetching } = status
  return {
    version: status.version,
    importedAt: status.importedAtMs ?? null,
    fetchedAt: status.fetchedAtMs ?? null,
    registries: status.registries.map((one) => ({ ...one })),
    ported: status.ported ?? null,
    changes: status.changes ?? null,
    previousVersion: status.previousVersion ?? null,
    fetch: {
      isOn,
      everyHours,
      isRunning: isFetching,
      lastAttempt: lastAttempt
        ? { at: lastAttempt.atMs, result: lastAttempt.result, reason: lastAttempt.reason }
        : null,
    },
  }
}

const noDiff: VersionDiff = { from: '', to: '', registries: [], ported: undefined }

function diffOf({ from, to, registries, ported }: VersionDiff) {
  return {
    from,
    to,
    registries: registries.map(({ kind, added, removed, changedOwner }) => ({
      kind,
      added: sumOf(added),
      removed: sumOf(removed),
      changedOwner: sumOf(changedOwner),
    })),
    ported: ported ?? null,
  }
}

function sumOf({ ranges, numbers, largest }: ChangeSum) {
  return { ranges, numbers, largest: largest.map((one) => ({ ...one })) }
}
