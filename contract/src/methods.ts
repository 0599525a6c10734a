// The eight methods of /v1.0, by the names that clients call them.
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

// What an outgoing call does with its code: shows it, speaks it, or both.
export const callModes = ['flash', 'voice', 'mix'] as const
export type CallMode = (typeof callModes)[number]
