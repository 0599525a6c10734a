// Which codes flash calls to a country can show, how many numbers end with each, and why a code has none.

import type { codeGapCauses } from '@ringproof/contract/lists/trunks.ts'
import { type CallerRange, codesAll, countByCode, everyCode } from './caller-pool.ts'
import { servingRanges, servingTrunks, shownRanges } from './routing.ts'
import type { Trunk } from './trunk.ts'

type CodeCoverage = {
  // How many live numbers end with each code, by code; 0000 is not one.
  readonly counts: Uint32Array
  readonly gaps: readonly CodeGap[]
}

// Codes in a row without a live number, for one reason. 'quarantined': the only numbers are out of use. 'trunk-off' and
// 'trunk-elsewhere': the only numbers belong to a trunk that is off or does not serve the country.
export type CodeGap = CodeRange & { readonly cause: GapCause; readonly trunk: string | undefined }
type GapCause = (typeof codeGapCauses)[number]

// Inclusive.
export type CodeRange = { readonly first: string; readonly last: string }

type OwnNumbers = {
  readonly trunks: readonly Trunk[]
  // Without the numbers that are out of use.
  readonly live: readonly CallerRange[]
  readonly owned: readonly CallerRange[]
}

export function coverageOf({ trunks, live, owned }: OwnNumbers, country: string): CodeCoverage {
  const counts = countByCode(servingRanges(trunks, live, country))
  const serving = new Set(servingTrunks(trunks, country).map(({ name }) => name))
  const quarantined = countByCode(servingRanges(trunks, owned, country))
  const idle = trunks
    .filter(({ name, isTest }) => !serving.has(name) && !isTest)
    .map((trunk) => ({ trunk, counts: countByCode(shownRanges(owned, trunk, country)) }))
  const reasonOf = (code: number): Pick<CodeGap, 'cause' | 'trunk'> => {
    if ((quarantined[code] ?? 0) > 0) return { cause: 'quarantined', trunk: undefined }
    const holder = idle.find((one) => (one.counts[code] ?? 0) > 0)?.trunk
    if (!holder) return { cause: 'none', trunk: undefined }
    return { cause: holder.isOn ? 'trunk-elsewhere' : 'trunk-off', trunk: holder.name }
  }
  const gaps: CodeGap[] = []
  for (let code = 1; code < codesAll; code++) {
    if ((counts[code] ?? 0) > 0) continue
    const text = asCode(code)
    const { cause, trunk } = reasonOf(code)
    const before = gaps.at(-1)
    const goesOn = before?.cause === cause && before.trunk === trunk && Number(before.last) === code - 1
    if (before && goesOn) gaps.splice(-1, 1, { ...before, last: text })
    else gaps.push({ first: text, last: text, cause, trunk })
  }
  return { counts, gaps }
}

export function codesIn(ranges: readonly CodeRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + Number(last) - Number(first) + 1, 0)
}

// The codes that are in the first coverage and not in the second, those in a row together.
export function codesOnlyIn(one: Uint32Array, other: Uint32Array): readonly CodeRange[] {
  const codes = everyCode.filter((code) => (one[Number(code)] ?? 0) > 0 && (other[Number(code)] ?? 0) === 0)
  return inRows(codes)
}

// The codes are sorted.
function inRows(codes: readonly string[]): readonly CodeRange[] {
  const rows: CodeRange[] = []
  for (const code of codes) {
    const row = rows.at(-1)
    if (row && Number(row.last) === Number(code) - 1) rows.splice(-1, 1, { ...row, last: code })
    else rows.push({ first: code, last: code })
  }
  return rows
}

// How evenly calls use the numbers. Codes are drawn at random, so even use is not equal use: the counts vary like random ones,
// and their variance is about their mean. Codes that customers ask for make it larger.
export type Spread = {
  readonly calls: number
  readonly numbers: number
  // Numbers that no call has shown.
  readonly unused: number
  readonly most: number
  readonly isEven: boolean
}

export function spreadOf(callsByNumber: readonly number[], numbers: number): Spread {
  const calls = callsByNumber.reduce((sum, count) => sum + count, 0)
  const mean = numbers === 0 ? 0 : calls / numbers
  const unused = Math.max(0, numbers - callsByNumber.length)
  const squares = callsByNumber.reduce((sum, count) => sum + (count - mean) ** 2, 0) + unused * mean ** 2
  const dispersion = mean === 0 ? 0 : squares / numbers / mean
  return {
    calls,
    numbers,
    unused,
    most: callsByNumber.reduce((most, count) => Math.max(most, count), 0),
    isEven: dispersion < dispersionMax,
  }
}

// Random use has 1, give or take 0.1 for a few hundred numbers.
const dispersionMax = 1.5

function asCode(code: number): string {
  return String(code).padStart(4, '0')
}
