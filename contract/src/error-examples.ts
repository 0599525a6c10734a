// Refusals as a client reads them: the sentences with an example value in each placeholder.

import { type RefusalName, refusals, type Sentences } from './errors.ts'
import type { Language } from './lists/people.ts'
import { nearestMethod } from './methods.ts'
import { uncallableReasons } from './phone-faults.ts'
import { badJson, keyFaults } from './request-faults.ts'

const same = (text: string): Sentences => ({ en: text, ru: text })

const values: Readonly<Record<string, Sentences>> = {
  parameter: same('code'),
  expected: { en: 'it takes four digits from 0001 to 9999', ru: 'нужны четыре цифры от 0001 до 9999' },
  reason: uncallableReasons.leadingEight,
  country: same('UZ'),
  mode: same('mix'),
  cap: { en: 'verifications an hour', ru: 'верификаций в час' },
  from: same('22:00'),
  until: same('08:00'),
  hint: nearestMethod('getBalance'),
}

// The same placeholder means something else there.
const valuesByRefusal: Partial<Readonly<Record<RefusalName, Readonly<Record<string, Sentences>>>>> = {
  malformedRequest: { fault: badJson('trailingComma', { line: 1, column: 24 }) },
  authenticationFailed: { fault: keyFaults.noDot },
  parameterMissing: { parameter: same('phone') },
  parameterMisnamed: { parameter: same('uid'), name: same('vendor_id') },
  parameterInPostQuery: { parameter: same('phone') },
  numberLimitReached: { limit: { en: '4 in ten minutes', ru: '4 за десять минут' } },
  tooManyRequests: { limit: same('30') },
}

export function exampleSentence(name: RefusalName, language: Language): string {
  return refusals[name][language].replaceAll(/\{(\w+)\}/g, (_, placeholder: string) => {
    const value = valuesByRefusal[name]?.[placeholder] ?? values[placeholder]
    if (value === undefined) throw new Error(`no example value for ${placeholder} of ${name}`)
    return value[language]
  })
}
