// The addresses from which calls may come in over the edge. It takes calls from no other, and forgets them after ten seconds, so they
// are sent again and again. With them goes a random name of this process: events for an earlier one are not ours, and To tags cannot be
// computed without it.

import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Transport, Trunk } from '../../domain/trunks/trunk.ts'
import type { Clock } from '../../process/clock.ts'
import { canonicalHost } from '../sip/hep.ts'

export type EdgeCarriers = {
  // In every event that is meant for this process.
  readonly nonce: string
  readonly announce: () => void
  readonly trunkOf: (address: string, transport: Transport) => Trunk | undefined
  readonly close: () => void
}

export type EdgeCarriersDeps = {
  readonly trunks: () => readonly Trunk[]
  // Sends headers to the edge itself.
  readonly publish: (headers: readonly string[]) => void
  readonly clock: Clock
}

const announceMs = 2_000
const addressesPerMessage = 100
const nonceBytes = 32

export function createEdgeCarriers({ trunks, publish, clock }: EdgeCarriersDeps): EdgeCarriers {
  const nonce = randomBytes(nonceBytes).toString('hex')
  const known = new Map<string, readonly string[]>()
  let isClosed = false
  const at = (address: string) => trunks().filter((trunk) => known.get(hostOf(trunk))?.includes(address))
  const resolve = async () => {
    const hosts = new Set(trunks().map(hostOf))
    for (const host of known.keys()) if (!hosts.has(host)) known.delete(host)
    // A name that does not resolve keeps its last addresses.
    for (const host of hosts) known.set(host, (await addressesOf(host)) ?? known.get(host) ?? [])
  }
  const publishAll = () => {
    if (isClosed) return
    const addresses = [...new Set([...known.values()].flat())].map((address) => {
      const allowsRelay = at(address).some((trunk) => trunk.allowsRelay)
      return `${edgeSpelling(address)}|${allowsRelay ? 'relays' : 'direct'}`
    })
    for (let first = 0; first === 0 || first < addresses.length; first += addressesPerMessage) {
      const some = addresses.slice(first, first + addressesPerMessage).join(',')
      publish([`X-Edge-Nonce: ${nonce}`, `X-Edge-Carriers: ${some}`])
    }
  }
  const announce = () => void resolve().then(publishAll, publishAll)
  const announcing = clock.every(announceMs, announce)
  return {
    nonce,
    announce,
    // Trunks to one address differ by their transport.
    trunkOf: (address, transport) => {
      const all = at(address)
      return all.find((trunk) => trunk.transport === transport) ?? all[0]
    },
    close: () => {
      isClosed = true
      announcing.stop()
      // Without addresses: it takes no more calls.
      publish([])
    },
  }
}

async function addressesOf(host: string): Promise<readonly string[] | undefined> {
  if (host === '') return []
  if (isIP(host) > 0) return [canonicalHost(host)]
  const found = await lookup(host, { all: true }).catch(() => undefined)
  return found?.map(({ address }) => canonicalHost(address))
}

function hostOf({ address }: Trunk): string {
  return address.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

// Kamailio writes all eight groups of an IPv6 address.
function edgeSpelling(address: string): string {
  if (!address.includes(':')) return address
  const [start = '', end] = address.split('::')
  const groups = (part: string) => part.split(':').filter((group) => group !== '')
  const given = end === undefined ? [] : groups(end)
  const zeros = Array<string>(8 - groups(start).length - given.length).fill('0')
  return [...groups(start), ...zeros, ...given].join(':')
}
