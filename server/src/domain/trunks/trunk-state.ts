// How a node sees the carrier behind a trunk. The reasons are stored and shown, and `ringproof doctor` knows a fix for each.

export type TrunkState = { readonly isUp: boolean; readonly reason: string }

export const trunkReasons = {
  silent: 'does not answer OPTIONS',
  answering: 'answers OPTIONS',
  unregistered: 'not registered',
  registered: 'registered',
  rejected: 'the carrier rejects our registration',
  unknown: 'Asterisk does not know it yet',
  refused: 'Asterisk refuses its',
  unbound: 'this node has no',
} as const
