// Words about a verification and its calls.

import { callModes } from '../methods.ts'

export const verificationModes = [...callModes, 'inbound'] as const

// As the database has it.
export const verificationStates = ['accepted', 'dialling', 'succeeded', 'failed'] as const

// As people see it.
export const shownStatuses = ['checking', 'ringing', 'waiting', 'succeeded', 'failed'] as const
export const statusFilters = ['succeeded', 'failed', 'open'] as const

// Whose fault a failure is.
export const sides = ['operator', 'carrier', 'subscriber'] as const

export const enders = ['us', 'them', 'nobody'] as const

// What proves that the carrier sent an inbound call: its connection, the ACK of our reply over UDP, or nothing but its source address.
export const assurances = ['tls', 'tcp', 'ack', 'none'] as const

// What became of a rule that a call start is checked against.
export const ruleStates = ['passed', 'refused', 'not-reached', 'not-tested'] as const

export const numberKinds = ['mobile', 'fixed', 'other'] as const

// The languages in which a voice call can speak a code. A new one also needs prompts (telephony/asterisk/config.ts) and a
// value in the CHECK of services.language.
export const promptLanguages = ['ru', 'en', 'kk'] as const

// Of a ladder, and of the verification of /v2 that it is.
export const ladderStates = ['pending', 'approved', 'failed', 'expired', 'cancelled'] as const
export const ladderReasons = ['checks_used_up', 'unreachable', 'number_does_not_exist'] as const
