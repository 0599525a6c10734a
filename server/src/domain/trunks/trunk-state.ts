// How a node sees the carrier behind a trunk, over OPTIONS and registration. The reasons are stored and shown, and `ringproof doctor`
// knows a fix for each.

export type TrunkState = {
  readonly isUp: boolean
  readonly reason: string
  // What Asterisk has found wrong; undefined if the carrier answers and, if we register, has accepted it.
  readonly fault?: TrunkFault | undefined
}

export type TrunkFault = 'lost' | 'silent' | 'unregistered' | 'rejected' | 'unknown' | 'refused-object' | 'unbound'

export const trunkReasons = {
  lost: 'Asterisk does not respond',
  silent: 'does not answer OPTIONS',
  answering: 'answers OPTIONS',
  unregistered: 'not registered',
  registered: 'registered',
  rejected: 'the carrier rejects our registration',
  unknown: 'Asterisk does not know it yet',
  refused: 'Asterisk refuses its',
  unbound: 'this node has no',
} as const
