// The eight methods of /v1.0, by name.
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

// How an outgoing call delivers its code: in the caller ID, spoken, or both.
export const callModes = ['flash', 'voice', 'mix'] as const
export type CallMode = (typeof callModes)[number]
