import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { hourMs } from '../../../server/src/domain/values/time.ts'

export function registryAnswers(nowMs: number) {
  const registry = (kind: string, rows: number, organisations: number) => ({
    kind,
    source: `${kind}.csv`,
    rows,
    ranges: rows - 12,
    numbers: rows * 4_100,
    organisations,
  })
  const registries: WebOutput<'registries'> = {
    state: 'here',
    version: '3f9a51c2',
    importedAt: nowMs - 30 * hourMs,
    fetchedAt: nowMs - 6 * hourMs,
    registries: [
      registry('ABC-3xx', 96_204, 612),
      registry('ABC-4xx', 148_877, 905),
      registry('ABC-8xx', 72_410, 488),
      registry('DEF-9xx', 16_930, 71),
    ],
    ported: { source: 'Port_All_202611160000_1234.csv', numbers: 41_286_117, asOf: '2026-11-16' },
    changes: { changes: 3_412, asOf: '2026-11-17' },
    previousVersion: '88d0b7e4',
    fetch: {
      isOn: true,
      everyHours: 24,
      isRunning: false,
      lastAttempt: { at: nowMs - 6 * hourMs, result: 'unchanged', reason: '' },
    },
  }
  const found: WebOutput<'look-up-range'> = {
    isCovered: true,
    range: {
      organisation: 'Example Mobile JSC',
      inn: '0000000000',
      region: 'Samara Region',
      city: '',
      isReserve: false,
    },
    ported: { owner: 'mExample', mnc: '99' },
  }
  return { registries, 'registry-diff': registryDiff, 'look-up-range': found }
}

const nothing = { ranges: 0, numbers: 0, largest: [] }
const daisy = 'Example Mobile JSC'
const reed = 'Общество с ограниченной ответственностью «Камыш Телеком»'

const registryDiff: WebOutput<'registry-diff'> = {
  state: 'here',
  from: '88d0b7e4',
  to: '3f9a51c2',
  registries: [
    { kind: 'ABC-4xx', added: nothing, removed: nothing, changedOwner: nothing },
    {
      kind: 'DEF-9xx',
      added: {
        ranges: 12,
        numbers: 1_240_000,
        largest: [
          { first: 9_070_000_000, last: 9_070_999_999, before: '', after: daisy },
          { first: 9_071_500_000, last: 9_071_599_999, before: '', after: reed },
        ],
      },
      removed: {
        ranges: 1,
        numbers: 10_000,
        largest: [{ first: 9_075_000_000, last: 9_075_009_999, before: reed, after: '' }],
      },
      changedOwner: {
        ranges: 3,
        numbers: 21_000,
        largest: [
          { first: 9_078_800_000, last: 9_078_819_999, before: reed, after: daisy },
          { first: 9_078_900_000, last: 9_078_900_999, before: daisy, after: reed },
        ],
      },
    },
  ],
  ported: { before: { numbers: 41_286_117, changes: 0 }, after: { numbers: 41_286_117, changes: 3_412 } },
}

export function failedRegistries(nowMs: number): WebOutput<'registries'> {
  const { registries } = registryAnswers(nowMs)
  const reason =
    'https://example.com/DEF-9xx.csv cannot be downloaded: its certificate is not trusted. Name its authority in RINGPROOF_REGISTRY_CA_FILE.'
  const lastAttempt = { at: nowMs - hourMs / 4, result: 'failed', reason } as const
  return { ...registries, fetch: { ...registries.fetch, lastAttempt } }
}

// Imported by hand, and nothing is fetched.
export function unfetchedRegistries(nowMs: number): WebOutput<'registries'> {
  const { registries } = registryAnswers(nowMs)
  return {
    ...registries,
    fetchedAt: null,
    ported: null,
    changes: null,
    previousVersion: null,
    fetch: { isOn: false, everyHours: 24, isRunning: false, lastAttempt: null },
  }
}

export const noRegistries: WebOutput<'registries'> = {
  state: 'absent',
  version: '',
  importedAt: null,
  fetchedAt: null,
  registries: [],
  ported: null,
  changes: null,
  previousVersion: null,
  fetch: { isOn: true, everyHours: 24, isRunning: false, lastAttempt: null },
}
