// Keeps the trunks in Asterisk equal to those in the database. Only differences are pushed, and calls in progress are not
// affected: nothing is reloaded, nothing is dropped.

import { type Transport, type Trunk, type TrunkState, trunkReasons } from '../../domain/trunks/trunk.ts'
import type { Logger } from '../../process/log/log.ts'
import type { AriConnection } from './ari-connection.ts'
import { type Registrations, unregistered } from './registrations.ts'
import { type EdgeProxy, endpointOf, objectTypes, registeredAs, type TrunkObject, trunkObjects } from './trunks.ts'

type TrunkPushes = {
  readonly push: (request: AriConnection['request']) => Promise<void>
  // Removes everything that was pushed.
  readonly withdraw: (request: AriConnection['request']) => Promise<void>
  readonly forget: () => void
  // Without a request Asterisk does not respond.
  readonly states: (request: AriConnection['request'] | undefined) => Promise<ReadonlyMap<string, TrunkState>>
}

type PushDeps = {
  readonly readRegistrations: () => Promise<Registrations>
  // A guest does not change trunks that Asterisk already has.
  readonly isGuest: boolean
  readonly sipTransports: readonly Transport[]
  readonly proxy?: EdgeProxy | undefined
  readonly trunks: () => readonly Trunk[]
  readonly passwordOf: (trunk: Trunk) => string | undefined
  readonly log: Logger
}

export function createTrunkPushes(deps: PushDeps): TrunkPushes {
  const { isGuest, trunks, passwordOf, proxy, readRegistrations, log } = deps
  // Objects in Asterisk, by ARI path, as pushed; undefined if it has not said whether it has taken the object.
  let pushed = new Map<string, TrunkObject | undefined>()
  // Objects that Asterisk refuses, for example with a host name that does not resolve. They are retried on every push and do
  // not block other trunks.
  const refused = new Map<string, TrunkObject>()
  const unanswered = createUnanswered(refused)
  let inFlight: Promise<void> = Promise.resolve()
  const served = () => trunks().filter(({ isOn, address }) => isOn && address !== '')
  const pushDifference = async (request: AriConnection['request']) => {
    const known = pushed.size > 0 ? [] : await readEndpoints(request)
    const wanted = new Map(
      served()
        .filter(({ name }) => !isGuest || pushed.size > 0 || !known.includes(endpointOf(name)))
        .flatMap((trunk) => trunkObjects(trunk, passwordOf(trunk), proxy))
        .map((object) => [pathOf(object), object]),
    )
    // Asterisk merges new fields into an existing object, so a changed object is deleted first, and so is one that it may have.
    // Objects left by an earlier process are deleted too.
    const stale = [...pushed].filter(([path, object]) => !isSame(object, wanted.get(path))).map(([path]) => path)
    const leftovers = isGuest ? [] : known.flatMap((id) => objectTypes.map((type) => pathOf({ type, id })))
    for (const path of [...leftovers, ...stale.toReversed()]) {
      await request({ method: 'DELETE', path })
      pushed.delete(path)
    }
    for (const [path, object] of wanted) {
      if (pushed.has(path) || unanswered.isWaiting(path, object)) continue
      const fields = object.fields.map(([attribute, value]) => ({ attribute, value }))
      pushed.set(path, undefined)
      const response = request({ method: 'PUT', path, body: { fields } })
      const { status } = await unanswered.watch(path, object, response)
      if (status < 300) {
        pushed.set(path, object)
        refused.delete(path)
        continue
      }
      pushed.delete(path)
      if (!refused.has(path))
        log.warn({ object: object.type, id: object.id, http_status: status }, 'trunk push refused')
      refused.set(path, object)
    }
  }
  return {
    push: (request) => {
      inFlight = inFlight.catch(() => undefined).then(() => pushDifference(request))
      return inFlight
    },
    withdraw: async (request) => {
      for (const path of [...pushed.keys()].toReversed()) await request({ method: 'DELETE', path })
    },
    forget: () => {
      pushed = new Map()
    },
    states: async (request) => {
      const servedTrunks = served()
      if (!request) return new Map(servedTrunks.map(({ name }) => [name, lost]))
      const registrations = servedTrunks.some(({ outboundRegistration }) => outboundRegistration)
        ? await readRegistrations()
        : new Map()
      const states = servedTrunks.map(async (trunk) => {
        const objects = trunkObjects(trunk, passwordOf(trunk), proxy).map(pathOf)
        const fault = nodeFault(deps, trunk, objects.map((path) => refused.get(path)).find(Boolean))
        return [trunk.name, fault ?? (await stateOf(request, trunk, registrations))] as const
      })
      return new Map(await Promise.all(states))
    },
  }
}

// While Asterisk looks up a host name it answers nothing, for most of a minute if the DNS server is silent. An object that it has left
// unanswered twice in a row counts as refused and waits, so that the other trunks are pushed; a changed object does not wait.
const unansweredMax = 2
const waitingPushes = 300

function createUnanswered(refused: Map<string, TrunkObject>) {
  const waiting = new Map<string, { readonly object: TrunkObject; readonly times: number; pushesLeft: number }>()
  return {
    isWaiting: (path: string, object: TrunkObject): boolean => {
      const last = waiting.get(path)
      if (!last || last.times < unansweredMax || !isSame(last.object, object)) return false
      last.pushesLeft--
      return last.pushesLeft > 0
    },
    watch: async <T>(path: string, object: TrunkObject, response: Promise<T>): Promise<T> => {
      try {
        const received = await response
        waiting.delete(path)
        return received
      } catch (error) {
        const last = waiting.get(path)
        const times = isSame(last?.object, object) ? (last?.times ?? 0) + 1 : 1
        if (times >= unansweredMax) refused.set(path, object)
        waiting.set(path, { object, times, pushesLeft: waitingPushes })
        throw error
      }
    },
  }
}

const lost: TrunkState = { isUp: false, reason: trunkReasons.lost, fault: 'lost' }

function nodeFault(
  { sipTransports }: PushDeps,
  trunk: Trunk,
  refused: TrunkObject | undefined,
): TrunkState | undefined {
  if (!sipTransports.includes(trunk.transport)) return { isUp: false, reason: unboundReason(trunk), fault: 'unbound' }
  if (!refused) return undefined
  return { isUp: false, reason: `${trunkReasons.refused} ${refused.type}: see its log`, fault: 'refused-object' }
}

function unboundReason({ transport }: Trunk): string {
  return `${trunkReasons.unbound} ${transport}: add it to RINGPROOF_SIP_TRANSPORTS, run asterisk prepare, start Asterisk again`
}

// A carrier that replies to OPTIONS may still reject our registration.
async function stateOf(
  request: AriConnection['request'],
  trunk: Trunk,
  registrations: Registrations,
): Promise<TrunkState> {
  const { status, body } = await request({ method: 'GET', path: `endpoints/PJSIP/${endpointOf(trunk.name)}` })
  if (status !== 200) return { isUp: false, reason: trunkReasons.unknown, fault: 'unknown' }
  const isAnswering = (body as { state?: string }).state === 'online'
  if (!isAnswering) return { isUp: false, reason: `${trunk.address} ${trunkReasons.silent}`, fault: 'silent' }
  const answering = `${trunk.address} ${trunkReasons.answering}`
  if (!trunk.outboundRegistration) return { isUp: true, reason: answering }
  const registration = registrations.get(registeredAs(trunk)) ?? unregistered
  return { ...registration, reason: `${answering}, ${registration.reason}` }
}

async function readEndpoints(request: AriConnection['request']): Promise<readonly string[]> {
  const { status, body } = await request({ method: 'GET', path: 'endpoints/PJSIP' })
  return status === 200 ? (body as { resource: string }[]).map(({ resource }) => resource) : []
}

function pathOf({ type, id }: Pick<TrunkObject, 'type' | 'id'>): string {
  return `asterisk/config/dynamic/res_pjsip/${type}/${id}`
}

function isSame(one: TrunkObject | undefined, other: TrunkObject | undefined): boolean {
  return one !== undefined && other !== undefined && JSON.stringify(one.fields) === JSON.stringify(other.fields)
}
