// Numbers that no carrier is ever asked for. Two test numbers, which every service may call, succeed and fail always. Scenario
// numbers are virtual phones: each belongs to one account, and only its test services call it.

import type { PhoneNumber } from './phone-number.ts'

export const succeedingNumber = '79000000001' as PhoneNumber
export const failingNumber = '79000000002' as PhoneNumber

// Valid whatever the numbering plans say.
const testNumbers = new Set<string>([succeedingNumber, failingNumber])

export const scenarioNumbers = { first: 79000001000, last: 79000009999 } as const

export function isTestNumber(digits: string): boolean {
  return testNumbers.has(digits)
}

export function isScenarioNumber(digits: string): boolean {
  return /^7900000[1-9]\d{3}$/.test(digits)
}

// The caller ID of a test call: +7 000 is assigned to nobody. Its last four digits are the code, unless the code is spoken.
export function testCallerNumber(code: string): number {
  return 70000000000 + Number(code)
}

// What a handset shows when the network rewrites the caller ID: another number of the same range, never one with the code.
export function changedCallerNumber(callerNumber: number): number {
  const lastFour = callerNumber % 10_000
  return callerNumber - lastFour + ((lastFour + 1_111) % 10_000)
}
