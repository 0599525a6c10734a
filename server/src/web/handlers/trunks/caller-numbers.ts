// Caller numbers and the codes that they cover.

import { importCallerNumbers, previewCallerImport } from '../../../actions/trunks/caller-numbers.ts'
import { showCallerNumbers, showCallerUse } from '../../../actions/trunks/caller-numbers-view.ts'
import {
  previewNumberRemoval,
  quarantineNumbers,
  removeNumbers,
  returnNumbers,
} from '../../../actions/trunks/number-removal.ts'
import { codesIn } from '../../../domain/trunks/code-coverage.ts'
import { Denial } from '../../../process/errors.ts'
import type { WebDeps } from '../core/deps.ts'
import { actorOf, type Handlers } from '../core/handlers.ts'

// Of codes in a row, and of lines.
const listedMax = 100

export function callerNumberHandlers(deps: WebDeps) {
  return {
    'caller-numbers': async (_visit, { country }) => shown(await showCallerNumbers(deps, country)),
    'caller-use': async (_visit, { country }) => {
      const use = await showCallerUse(deps, country)
      return { ...use, histogram: [...use.histogram] }
    },
    'preview-caller-import': async (_visit, input) => {
      const preview = await previewCallerImport(deps, input)
      return {
        ...preview,
        invalidLines: preview.invalidLines.slice(0, listedMax),
        invalid: preview.invalidLines.length,
        gained: preview.gained.slice(0, listedMax),
        gainedCodes: codesIn(preview.gained),
      }
    },
    'import-caller-numbers': async (visit, input) => importCallerNumbers(deps, actorOf(visit), input),
    'preview-number-removal': async (_visit, input) => {
      const { numbers, lost } = await previewNumberRemoval(deps, inOrder(input))
      return {
        numbers,
        lost: lost.map(({ country, codes }) => ({ country, codes: codes.slice(0, listedMax), count: codesIn(codes) })),
      }
    },
    'remove-caller-numbers': async (visit, input) => {
      await removeNumbers(deps, actorOf(visit), { ...inOrder(input), kind: 'caller' })
    },
    'quarantine-caller-numbers': async (visit, { days, ...input }) => {
      await quarantineNumbers(deps, actorOf(visit), { ...inOrder(input), days: days ?? undefined })
    },
    'return-caller-numbers': async (visit, input) => returnNumbers(deps, actorOf(visit), inOrder(input)),
  } satisfies Partial<Handlers>
}

export function inOrder<Span extends { readonly first: number; readonly last: number }>(span: Span): Span {
  if (span.first > span.last || String(span.first).length !== String(span.last).length)
    throw new Denial('invalid', ['last'])
  return span
}

function shown(numbers: Awaited<ReturnType<typeof showCallerNumbers>>) {
  const { countries, country, counts, gaps, gapsLeft, ranges, rangesLeft, quarantines, trunks } = numbers
  const on = new Set(trunks.filter(({ isOn }) => isOn).map(({ name }) => name))
  return {
    countries: [...countries],
    country: country ?? '',
    counts,
    gaps: gaps.map((gap) => ({ ...gap, trunk: gap.trunk ?? '' })),
    gapsLeft,
    ranges: ranges.map((range) => ({ ...range, isTrunkOn: on.has(range.trunk) })),
    rangesLeft,
    quarantines: quarantines.map(({ since, until, ...one }) => ({
      ...one,
      since: since.getTime(),
      until: until?.getTime() ?? null,
    })),
    trunks: trunks.map(({ name, isOn, countries: served }) => ({ name, isOn, countries: [...served] })),
  }
}
