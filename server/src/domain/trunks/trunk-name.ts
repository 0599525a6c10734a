// A name for a trunk, from the host of its carrier: sip.example.org becomes `example`.

import { testTrunk } from './trunk.ts'

const lengthMax = 32

export function freeTrunkName(address: string, taken: readonly string[]): string {
  const host = address.toLowerCase().replace(/:\d+$/, '')
  const labels = /^[\d.]+$|^\[/.test(host) ? [] : host.split('.').slice(0, -1)
  const name = (labels.at(-1) ?? 'carrier').replaceAll(/[^a-z0-9-]/g, '').slice(0, lengthMax - 4) || 'carrier'
  const isTaken = (one: string) => one === testTrunk || taken.includes(one)
  for (let n = 1; ; n++) {
    const tried = n === 1 ? name : `${name}-${n}`
    if (!isTaken(tried)) return tried
  }
}
