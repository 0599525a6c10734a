// Words about trunks, their health and their numbers.

export const trunkCauses = [
  'fine',
  'no-asterisk',
  'no-transport',
  'bad-settings',
  'not-loaded',
  'host-unknown',
  'port-closed',
  'certificate',
  'silent',
  'registering',
  'wrong-password',
  'registration-refused',
  'address-refused',
  'overloaded',
  'carrier-error',
  'number-format',
  'codec',
  'answered-unseen',
  'late-ringing',
  'caller-id-changed',
  'no-report',
  'simulated',
  'draining',
  'disabled',
  'stopped',
] as const

// What a node sees of a carrier, the worst first; a trunk is also draining or disabled.
export const carrierStates = ['down', 'degraded', 'healthy'] as const
export const trunkStates = [...carrierStates, 'draining', 'disabled'] as const
export type TrunkState = (typeof trunkStates)[number]

export const trunkUses = ['on', 'drain', 'off'] as const

export const sipTransports = ['udp', 'tcp', 'tls'] as const

// How a carrier spells numbers: +7…, 7…, 8… or ten digits.
export const numberFormats = ['e164-no-plus', 'e164', 'ru-8', 'ru-10'] as const

// Headers with the caller ID: From only, or also P-Asserted-Identity or Remote-Party-ID.
export const callerIdHeaders = ['pai', 'from', 'rpid'] as const

// Which header identifies an inbound caller: P-Asserted-Identity, or From if the carrier sent none; or From only.
export const inboundIdentities = ['pai', 'from'] as const

// What happens to an inbound call over UDP whose sender has not shown that it received our reply. `record`: it verifies and is counted.
// `enforce`: it verifies nothing.
export const returnPathModes = ['record', 'enforce'] as const

// What part a trunk has in a call. The trunks that are tried come first.
export const routeParts = ['tried', 'no-code', 'no-number', 'elsewhere', 'off'] as const

// Why no caller number ends with a code.
export const codeGapCauses = ['none', 'quarantined', 'trunk-off', 'trunk-elsewhere'] as const

export const switchOverEnds = [
  'recovered',
  'no-better',
  'trunk-lost',
  'order-changed',
  // By an operator.
  'taken-back',
  'switched-off',
] as const
