// Words about prices and statements.

import { verificationModes } from './calls.ts'

export const pricedMethods = ['initCall', 'inboundCallWaiting', 'checkPhone'] as const

// What people see a price of.
export const pricedKinds = [...verificationModes, 'checkPhone'] as const

export const statementKinds = ['credit', 'debit', 'charges'] as const
