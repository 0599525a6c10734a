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

// Why a number is not called: the reason in the sentence of code 3.
export const uncallableReasons = {
  notDigits: {
    en: 'phone takes 7 to 15 digits with the country code',
    ru: 'phone — это от 7 до 15 цифр с кодом страны',
  },
  separators: {
    en: 'phone takes digits only, without spaces, brackets or hyphens',
    ru: 'phone — это только цифры, без пробелов, скобок и дефисов',
  },
  barePlus: {
    en: 'it begins with a space; a plus in a query must be written as %2B, or left out',
    ru: 'он начинается с пробела; плюс в строке запроса пишется как %2B, или его не пишут совсем',
  },
  leadingEight: {
    en: 'it begins with 8; write the country code 7 instead',
    ru: 'он начинается с 8; вместо неё нужен код страны 7',
  },
  foreignPrefix: {
    en: 'it begins with 810, the prefix for calls abroad from Russia; leave it out',
    ru: 'он начинается с 810, а это выход на международную линию; уберите его',
  },
  noCountryCode: {
    en: 'its country code is missing; put it before the ten digits, 7 for Russia and Kazakhstan',
    ru: 'в нём нет кода страны; поставьте его перед десятью цифрами, для России и Казахстана это 7',
  },
  wrongLength: {
    en: 'a number with country code 7 has 11 digits',
    ru: 'в номере с кодом страны 7 — 11 цифр',
  },
  leadingZero: {
    en: 'it begins with 0; write the country code instead',
    ru: 'он начинается с 0; вместо него нужен код страны',
  },
  severalValues: {
    en: 'phone takes one value and was sent as a list or more than once',
    ru: 'нужно одно значение phone, а передан список или несколько значений',
  },
  testNumbersOff: {
    en: 'test numbers are switched off for this service',
    ru: 'тестовые номера для этого сервиса выключены',
  },
  scenarioNumber: {
    en: 'it is a virtual phone, which only a test service calls',
    ru: 'это виртуальный телефон, на него звонят только тестовые сервисы',
  },
  testService: {
    en: 'a test service calls only test numbers and the virtual phones of its account',
    ru: 'тестовый сервис звонит только на тестовые номера и на виртуальные телефоны своего аккаунта',
  },
  notOwnPhone: {
    en: 'it is neither a test number nor a virtual phone of this account',
    ru: 'это не тестовый номер и не виртуальный телефон этого аккаунта',
  },
  neverCalled: {
    en: 'toll-free, premium, shared-cost and satellite numbers are never called',
    ru: 'на бесплатные, платные и спутниковые номера не звонят',
  },
  notAssigned: {
    en: 'no operator has been assigned this number',
    ru: 'этот номер не выделен ни одному оператору',
  },
} as const satisfies Record<string, Sentences>
export type UncallableReason = keyof typeof uncallableReasons
