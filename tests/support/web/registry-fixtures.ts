import type { WebOutput } from '@ringproof/contract/web/api.ts'

const hourMs = 3_600_000

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
  return { registries, 'look-up-range': found }
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
}
