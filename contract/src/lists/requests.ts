// Words about requests to the API and about webhooks.

import { methods } from '../methods.ts'

export const trafficKinds = ['live', 'test'] as const

export const loggedMethods = [...methods, 'unknown'] as const
export const logPeriods = ['1h', '24h', '7d'] as const

// Ours: refused, and not because of the request.
export const requestResults = ['ok', 'refused', 'ours'] as const

// Where the key was.
export const authSchemes = ['header', 'query', 'body'] as const

export const webhookStates = ['due', 'delivered', 'dead'] as const
// As people see them.
export const shownWebhookStates = ['waiting', 'delivered', 'failed'] as const

// Why a receiver did not respond.
export const deliveryFailures = ['address-refused', 'address-busy', 'too-slow', 'unreachable'] as const
