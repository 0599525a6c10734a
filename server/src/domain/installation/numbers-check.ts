// Evaluates our own numbers and the numbering data.

import type { NumberingStatus } from '../numbers/numbering-report.ts'
import type { CodeGap, CodeRange } from '../trunks/code-coverage.ts'
import { dayMs } from '../values/time.ts'
import { bad, days, type Finding, good, reasonOf, warning } from './finding.ts'
import { registryBadDays, registryWarningDays } from './thresholds.ts'

type CodeCoverage = {
  readonly country: string
  readonly codes: number
  readonly missing: readonly CodeRange[]
  // The same codes, by cause.
  readonly gaps: readonly CodeGap[]
}

export function evaluateCodes(
  coverage: readonly CodeCoverage[],
  codesPossible: number,
  trunkOf: (country: string) => string | undefined,
): readonly Finding[] {
  if (coverage.length === 0) {
    const fix = 'ringproof numbers add-range --trunk NAME --country RU --first DIGITS --last DIGITS'
    return [warning('codes', '', 'There are no caller numbers, so no flash call can show a code.', fix)]
  }
  return coverage.map(({ country, codes, missing: [gap], gaps: [caused] }) => {
    if (gap === undefined)
      return good('codes', country, `A caller number ends with each of the ${codesPossible} codes.`)
    const gapText = gap.first === gap.last ? gap.first : `${gap.first} to ${gap.last}`
    const cause = `${codesPossible - codes} of ${codesPossible} codes have no caller number, such as ${gapText}: they cannot be shown.`
    return warning('codes', country, cause, fixOf(caused, gap, country, trunkOf(country) ?? 'NAME'))
  })
}

function fixOf(caused: CodeGap | undefined, gap: CodeRange, country: string, trunk: string): string {
  const range = `--first …${gap.first} --last …${gap.last}`
  if (caused?.cause === 'quarantined') return `ringproof numbers quarantine --end --trunk ${trunk} ${range}`
  if (caused?.cause === 'trunk-off') return `ringproof trunks set ${caused.trunk ?? trunk} --state on`
  if (caused?.cause === 'trunk-elsewhere')
    return `ringproof trunks set ${caused.trunk ?? trunk} --countries …,${country}`
  return `ringproof numbers add-range --trunk ${trunk} --country ${country} ${range}`
}

// By database: an account is given only numbers whose slot is in the same one.
export function evaluateConfirmationNumbers(
  countByDatabase: ReadonlyMap<string, number>,
  isSold: boolean,
): readonly Finding[] {
  if (!isSold) return [good('confirmation-numbers', '', 'No tariff sells inbound calls, so none are needed.')]
  return [...countByDatabase].map(([subject, count]) =>
    count > 0
      ? good('confirmation-numbers', subject, `Subscribers can call ${count} numbers.`)
      : warning(
          'confirmation-numbers',
          subject,
          'Accounts in this database have no number that subscribers can call: inbound requests get code 5.',
          'ringproof numbers add-inbound --trunk NAME --first DIGITS --last DIGITS',
        ),
  )
}

export function evaluateRegistry(
  { dir, url }: { readonly dir: string; readonly url: string | undefined },
  status: NumberingStatus | undefined,
  nowMs: number,
): Finding {
  const renewing = url === undefined ? 'ringproof registry import FILE…' : 'ringproof registry fetch'
  if (dir === '' || status === undefined || status.version === '') {
    const cause = 'There is no numbering registry: operators, regions and ported numbers are unknown.'
    const setting = dir === '' ? 'RINGPROOF_NUMBERING_DIR=/var/lib/ringproof/numbering ' : ''
    return warning('registry', '', cause, `${setting}${renewing}`)
  }
  const checkedMs = Math.max(status.fetchedAtMs ?? 0, status.importedAtMs ?? 0)
  const ageMs = nowMs - checkedMs
  const cause = `The numbering registry was last checked ${days(ageMs)} ago.`
  if (ageMs > registryBadDays * dayMs) return bad('registry', '', cause, renewing)
  if (ageMs > registryWarningDays * dayMs) return warning('registry', '', cause, renewing)
  return good('registry', '', cause)
}

export function unreadableRegistry(error: unknown): Finding {
  return bad('registry', '', `The numbering data cannot be read: ${reasonOf(error)}.`, 'ringproof registry rollback')
}
