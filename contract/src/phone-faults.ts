// Why a text is not a phone number, as checkPhone returns it.

import type { Sentences } from './errors.ts'

export const phoneFaults = {
  noNumber: {
    en: 'This cannot be a phone number: it has too few digits, too many, or none.',
    ru: 'Это не может быть номером телефона: цифр слишком мало, слишком много или нет совсем.',
  },
  notGivenOut: {
    en: 'No operator has been given this number.',
    ru: 'Этот номер не выделен ни одному оператору.',
  },
  noCountry: {
    en: 'This number belongs to no country: it is a satellite or an international service.',
    ru: 'Этот номер не принадлежит ни одной стране: это спутник или международная служба.',
  },
} as const satisfies Record<string, Sentences>
export type PhoneFault = keyof typeof phoneFaults
