// The eight methods of /v1.0, by name.

import type { Sentences } from './errors.ts'

export const methods = [
  'initCall',
  'getInfo',
  'initRepeat',
  'inboundCallWaiting',
  'checkPhone',
  'getAccount',
  'getService',
  'getBalance',
] as const
export type Method = (typeof methods)[number]

// The hint in the sentence of code 404.
export function nearestMethod(method: Method): Sentences {
  return { en: `the nearest is /v1.0/${method}`, ru: `ближайший — /v1.0/${method}` }
}
export const methodList: Sentences = {
  en: `the methods are ${methods.join(', ')}, each at /v1.0/ and its name`,
  ru: `есть ${methods.join(', ')}, каждый по адресу /v1.0/ с его именем`,
}

// How an outgoing call delivers its code: in the caller ID, spoken, or both.
export const callModes = ['flash', 'voice', 'mix'] as const
export type CallMode = (typeof callModes)[number]
