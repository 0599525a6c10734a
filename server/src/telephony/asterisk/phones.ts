// The subscribers' network, on top of a second Asterisk: virtual phones as real SIP handsets. Our own Asterisk sends calls to
// scenario numbers here over the test trunk, and a handset can call a confirmation number back over the same way.
//
//   arrived    Our call came in. What the phone is set to decides: 404, 480 or 486 at once, or it rings, late if the account
//              wants so, or never.
//   ringing    180 is sent. A phone that answers does so after a moment; a person may answer, decline (603) or be busy (486).
//   answered   The handset listens until our side or a person hangs up.
//
// The configuration is the one of deploy/asterisk/, with another node name. The only trunk leads back to us.

import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import { testCallerNumber } from '../../domain/numbers/test-number.ts'
import {
  answerAfterMs,
  latePostDialMs,
  type PhoneCommand,
  refusalOf,
  type VirtualPhone,
} from '../../domain/phones/virtual-phone.ts'
import { type Trunk, trunkDefaults } from '../../domain/trunks/trunk.ts'
import type { Clock } from '../../process/clock.ts'
import type { Logger } from '../../process/log/log.ts'
import { type AriChannel, type AriConnection, type AriEvent, createAriConnection } from './ari-connection.ts'
import { createTrunkPushes } from './push.ts'
import { endpointOf } from './trunks.ts'

type PhonesDeps = {
  readonly url: string
  readonly user: string
  readonly password: string
  // Name of its ARI application.
  readonly node: string
  // Where our own Asterisk takes calls.
  readonly peer: string
  // Undefined: no account has this number.
  readonly phoneOf: (number: PhoneNumber) => Promise<VirtualPhone | undefined>
  readonly clock: Clock
  readonly log: Logger
}

type Phones = {
  // Resolves once ARI is connected and the trunk is pushed.
  readonly opened: Promise<void>
  // False if there is no call that this can be done to.
  readonly act: (command: Extract<PhoneCommand, { do: 'act' }>) => Promise<boolean>
  // The SIP status of the end.
  readonly dial: (command: Extract<PhoneCommand, { do: 'dial' }>) => Promise<number>
  readonly close: () => Promise<void>
}

// Q.850 causes that Asterisk turns into these SIP statuses; a normal clearing of an unanswered call becomes 603.
const causes = { 404: '1', 480: '19', 486: '17', 603: '16' } as const
const dialTimeoutMs = 8_000
const noReplyStatus = 408

export function createPhones(deps: PhonesDeps): Phones {
  const { node, clock, log } = deps
  const opened = Promise.withResolvers<void>()
  const dialled = new Map<string, (status: number) => void>()
  const pushes = createTrunkPushes({
    ...deps,
    isGuest: false,
    sipTransports: ['udp'],
    trunks: () => [trunkToUs(deps.peer)],
    passwordOf: () => undefined,
    readRegistrations: async () => new Map(),
  })
  const handsets = createHandsets(deps, (request) => ari.request(request))
  const onEvent = ({ type, channel, args = [], tech_cause: status }: AriEvent) => {
    if (!channel) return
    if (type === 'StasisStart' && args[0] === 'incoming') {
      const number = Buffer.from(args[1] ?? '', 'base64')
        .toString()
        .replace(/^\+/, '') as PhoneNumber
      handsets.arrive(channel.id, number).catch((error: unknown) => log.warn({ err: error }, 'handset failed'))
    }
    if (type === 'StasisEnd' || type === 'ChannelDestroyed') handsets.end(channel.id)
    if (type === 'ChannelDestroyed') dialled.get(channel.id)?.(status ?? noReplyStatus)
  }
  const onConnect = async (request: AriConnection['request']) => {
    // Calls of an earlier process.
    const { body } = await request({ method: 'GET', path: 'channels' })
    for (const { id } of body as AriChannel[]) {
      if (!handsets.has(id) && !dialled.has(id)) await request({ method: 'DELETE', path: `channels/${id}` })
    }
    pushes.forget()
    await pushes.push(request)
    opened.resolve()
  }
  // Phones are for tests: calls go on without them.
  const onReplaced = () => {
    log.error({ node }, 'virtual phones taken over')
    ari.close().catch(() => undefined)
  }
  const ari = createAriConnection({ ...deps, application: node, onEvent, onConnect, onReplaced })
  return {
    opened: opened.promise,
    act: handsets.act,
    dial: (wanted) => dial({ ari, node, clock, dialled }, wanted),
    close: () => ari.close(),
  }
}

type Handset = {
  readonly number: PhoneNumber
  state: 'arrived' | 'ringing' | 'answered'
  readonly over: AbortController
}

// The calls that have come in, by channel.
function createHandsets({ phoneOf, clock }: PhonesDeps, request: AriConnection['request']) {
  const handsets = new Map<string, Handset>()
  // The other side may have hung up meanwhile, or ARI may be down: neither matters here.
  const command = async (method: 'POST' | 'DELETE', path: string, query: Record<string, string> = {}) => {
    await request({ method, path: `channels/${path}`, query }).catch(() => undefined)
  }
  const hangUp = (id: string, status: keyof typeof causes) => command('DELETE', id, { reason_code: causes[status] })
  const answer = (id: string, handset: Handset) => {
    handset.state = 'answered'
    return command('POST', `${id}/answer`)
  }
  return {
    has: (id: string) => handsets.has(id),
    arrive: async (id: string, number: PhoneNumber): Promise<void> => {
      const handset: Handset = { number, state: 'arrived', over: new AbortController() }
      handsets.set(id, handset)
      const phone = await phoneOf(number)
      const refusal = phone ? refusalOf(phone.state) : 404
      if (!phone || refusal) return hangUp(id, refusal ?? 404)
      if (phone.faults.has('no-ring')) return
      if (phone.faults.has('late-ring')) await clock.sleep(latePostDialMs, handset.over.signal)
      await command('POST', `${id}/ring`)
      if (handset.over.signal.aborted) return
      handset.state = 'ringing'
      if (phone.state !== 'answers') return
      await clock.sleep(answerAfterMs, handset.over.signal)
      if (isRinging(handset) && !handset.over.signal.aborted) await answer(id, handset)
    },
    end: (id: string): void => {
      const handset = handsets.get(id)
      if (!handset) return
      handset.over.abort()
      handsets.delete(id)
    },
    act: async ({ number, action }: Extract<PhoneCommand, { do: 'act' }>): Promise<boolean> => {
      // A call that was answered can only be hung up.
      const canAct = (one: Handset) => isRinging(one) || (one.state === 'answered' && action === 'decline')
      const [id, handset] = [...handsets].find(([, one]) => one.number === number && canAct(one)) ?? []
      if (id === undefined || !handset) return false
      if (action === 'answer') await answer(id, handset)
      else await hangUp(id, action === 'busy' ? 486 : 603)
      return true
    },
  }
}

function isRinging({ state }: Handset): boolean {
  return state === 'ringing'
}

type DialDeps = {
  readonly ari: AriConnection
  readonly node: string
  readonly clock: Clock
  readonly dialled: Map<string, (status: number) => void>
}

let serial = 0

// The caller ID is set as a variable and not as a parameter, because only so can it be withheld.
async function dial(
  { ari, node, clock, dialled }: DialDeps,
  { number, called, callerId }: Extract<PhoneCommand, { do: 'dial' }>,
): Promise<number> {
  const id = `${node}.dial-${serial++}`
  const ended = Promise.withResolvers<number>()
  dialled.set(id, ended.resolve)
  const over = new AbortController()
  const shown = callerId === 'changed' ? testCallerNumber(number.slice(-4)) : number
  const variables = {
    'CONNECTEDLINE(num,i)': `+${shown}`,
    'CONNECTEDLINE(num-pres,i)': callerId === 'withheld' ? 'prohib' : 'allowed',
  }
  const query = {
    endpoint: `PJSIP/+${called}@${endpointOf(trunkName)}`,
    app: node,
    channelId: id,
    timeout: String(dialTimeoutMs / 1_000),
  }
  try {
    const { status } = await ari.request({ method: 'POST', path: 'channels', query, body: { variables } })
    if (status >= 300) throw new Error(`a handset could not dial: ARI responded with ${status}`)
    return await Promise.race([ended.promise, clock.sleep(dialTimeoutMs, over.signal).then(() => noReplyStatus)])
  } finally {
    over.abort()
    dialled.delete(id)
    await ari.request({ method: 'DELETE', path: `channels/${id}` }).catch(() => undefined)
  }
}

const trunkName = 'ringproof'

function trunkToUs(address: string): Trunk {
  return { ...trunkDefaults, name: trunkName, address, channels: 1_000, callsPerSecond: 100, callerFormat: 'e164' }
}
