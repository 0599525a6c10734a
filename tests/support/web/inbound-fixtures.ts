// Inbound verifications: a pool over one trunk, two that wait, and calls that matched nothing. Numbers belong to nobody.

import type { WebOutput } from '@ringproof/contract/web/api.ts'

export function inboundAnswers(nowMs: number): { readonly inbound: WebOutput<'inbound'> } {
  const waiting = { accountId: 512, confirmationNumber: 70000100004, ageSeconds: 47, leftSeconds: 73 }
  const unmatched = { trunk: 'carrier', lastAt: nowMs - 240_000 }
  return {
    inbound: {
      pool: [
        { trunk: 'carrier', first: 70000100000, last: 70000100031, isRemoved: false },
        { trunk: 'carrier', first: 70000100032, last: 70000100032, isRemoved: true },
      ],
      free: 32,
      open: [
        { ...waiting, id: 3_605_214_872_064 },
        { ...waiting, id: 3_605_214_872_101, confirmationNumber: 70000100017, ageSeconds: 4, leftSeconds: 116 },
      ],
      openCount: 2,
      unmatched: [
        { ...unmatched, reason: 'called-back', calls: 41 },
        { ...unmatched, reason: 'no-request', calls: 12 },
        { ...unmatched, reason: 'withheld', calls: 3 },
        { ...unmatched, reason: 'unconfirmed', calls: 1 },
      ],
      trunks: [{ name: 'carrier', isOn: true }],
    },
  }
}

export function noInbound(nowMs: number): { readonly inbound: WebOutput<'inbound'> } {
  const { inbound } = inboundAnswers(nowMs)
  return { inbound: { ...inbound, pool: [], free: 0, open: [], openCount: 0, unmatched: [] } }
}
