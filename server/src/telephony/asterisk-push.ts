// Keeps Asterisk's trunks as the record has them. Only what differs is pushed, and a call that is under way keeps the trunk
// it was dialled with: nothing is reloaded, nothing is dropped.

import type { Trunk } from '../domain/routing.ts'
import type { AriLine } from './asterisk-line.ts'
import { endpointOf, type TrunkObject, trunkObjects } from './asterisk-trunks.ts'

export type TrunkState = { readonly isUp: boolean; readonly reason: string }

export type TrunkPushes = {
  readonly push: (request: AriLine['request']) => Promise<void>
  // Takes everything away again that was pushed.
  readonly withdraw: (request: AriLine['request']) => Promise<void>
  readonly forget: () => void
  readonly states: (request: AriLine['request']) => Promise<ReadonlyMap<string, TrunkState>>
}

type PushDeps = {
  // Leaves alone what Asterisk has already.
  readonly isGuest: boolean
  readonly trunks: () => readonly Trunk[]
  readonly passwordOf: (trunk: Trunk) => string | undefined
}

export function openTrunkPushes({ isGuest, trunks, passwordOf }: PushDeps): TrunkPushes {
  // What Asterisk has, by type and id, as it was pushed.
  let pushed = new Map<string, TrunkObject>()
  let underWay: Promise<void> = Promise.resolve()
  const served = () => trunks().filter(({ isOn, address }) => isOn && address !== '')
  const pushDifference = async (request: AriLine['request']) => {
    const known = pushed.size > 0 ? [] : await endpointsThere(request)
    const wanted = new Map(
      served()
        .filter(({ name }) => !isGuest || pushed.size > 0 || !known.includes(endpointOf(name)))
        .flatMap((trunk) => trunkObjects(trunk, passwordOf(trunk)))
        .map((object) => [pathOf(object), object]),
    )
    // What an object says anew is added to what it said before, so an old one is taken away first. What a process before
    // this one has left is old, too.
    const stale = [...pushed].filter(([path, object]) => !isSame(object, wanted.get(path))).map(([path]) => path)
    const left = isGuest ? [] : known.flatMap((id) => objectTypes.map((type) => pathOf({ type, id })))
    for (const path of [...left, ...stale.toReversed()]) {
      await request({ method: 'DELETE', path })
      pushed.delete(path)
    }
    for (const [path, object] of wanted) {
      if (pushed.has(path)) continue
      const fields = object.fields.map(([attribute, value]) => ({ attribute, value }))
      const { status } = await request({ method: 'PUT', path, body: { fields } })
      if (status >= 300) throw new Error(`Asterisk refuses ${object.type} ${object.id} with ${status}`)
      pushed.set(path, object)
    }
  }
  return {
    push: (request) => {
      underWay = underWay.catch(() => undefined).then(() => pushDifference(request))
      return underWay
    },
    withdraw: async (request) => {
      for (const path of [...pushed.keys()].toReversed()) await request({ method: 'DELETE', path })
    },
    forget: () => {
      pushed = new Map()
    },
    states: async (request) => {
      const states = served().map(async (trunk) => [trunk.name, await stateOf(request, trunk)] as const)
      return new Map(await Promise.all(states))
    },
  }
}

async function stateOf(request: AriLine['request'], { name, address }: Trunk): Promise<TrunkState> {
  const { status, body } = await request({ method: 'GET', path: `endpoints/PJSIP/${endpointOf(name)}` })
  if (status !== 200) return { isUp: false, reason: 'Asterisk does not know it yet' }
  const { state } = body as { state?: string }
  if (state === 'online') return { isUp: true, reason: `${address} answers OPTIONS` }
  return { isUp: false, reason: `${address} does not answer OPTIONS` }
}

async function endpointsThere(request: AriLine['request']): Promise<readonly string[]> {
  const { status, body } = await request({ method: 'GET', path: 'endpoints/PJSIP' })
  return status === 200 ? (body as { resource: string }[]).map(({ resource }) => resource) : []
}

const objectTypes = ['registration', 'identify', 'endpoint', 'aor', 'auth'] as const

function pathOf({ type, id }: Pick<TrunkObject, 'type' | 'id'>): string {
  return `asterisk/config/dynamic/res_pjsip/${type}/${id}`
}

function isSame(one: TrunkObject, other: TrunkObject | undefined): boolean {
  return other !== undefined && JSON.stringify(one.fields) === JSON.stringify(other.fields)
}
