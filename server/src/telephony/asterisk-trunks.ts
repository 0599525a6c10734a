// A trunk as Asterisk knows it. The outgoing and the incoming side are two endpoints: a carrier that answers 302 makes
// Asterisk look for the new number in the context of the endpoint, and that must not be where subscribers' calls arrive.

import type { Trunk } from '../domain/trunks/trunk.ts'

export type TrunkObject = {
  readonly type: 'auth' | 'aor' | 'endpoint' | 'identify' | 'registration'
  readonly id: string
  // In this order, and always all of them: what is not said of an object stays as it was.
  readonly fields: readonly (readonly [attribute: string, value: string])[]
}

// How a node sees the carrier behind a trunk.
export type TrunkState = { readonly isUp: boolean; readonly reason: string }

const askSeconds = 10
const registrationRetrySeconds = 15

export function endpointOf(trunk: string): string {
  return trunk
}

// No trunk has an underscore in its name.
export function inboundEndpointOf(trunk: string): string {
  return `${trunk}_in`
}

// The trunk of a channel that came in, by the name Asterisk has given it.
export function trunkOfInbound(channelName: string): string | undefined {
  return /^PJSIP\/([a-z0-9-]+)_in-[0-9a-f]+$/.exec(channelName)?.[1]
}

// Who we are to a carrier that we register with.
export function registeredAs({ user, address }: Trunk): string {
  return `sip:${user}@${hostOf(address)}`
}

// In the order in which they need each other.
export function trunkObjects(trunk: Trunk, password: string | undefined): readonly TrunkObject[] {
  const { name, address, transport, user } = trunk
  const host = hostOf(address)
  const way = transport === 'udp' ? '' : `;transport=${transport}`
  const hasPassword = user !== null && password !== undefined
  const auth: TrunkObject[] = hasPassword ? [{ type: 'auth', id: name, fields: authFields(user, password) }] : []
  const registration: TrunkObject[] =
    hasPassword && trunk.outboundRegistration
      ? [{ type: 'registration', id: name, fields: registrationFields(trunk, way) }]
      : []
  return [
    ...auth,
    {
      type: 'aor',
      id: name,
      fields: [
        ['contact', `sip:${address}${way}`],
        ['qualify_frequency', String(askSeconds)],
        // One that is late on a busy day must not take the trunk away.
        ['qualify_timeout', '6.0'],
      ],
    },
    { type: 'endpoint', id: endpointOf(name), fields: endpointFields(trunk, host, hasPassword) },
    {
      type: 'endpoint',
      id: inboundEndpointOf(name),
      fields: [...commonFields(trunk), ['context', 'incoming'], ['trust_id_inbound', 'yes']],
    },
    {
      type: 'identify',
      id: inboundEndpointOf(name),
      fields: [
        ['endpoint', inboundEndpointOf(name)],
        ['match', host.replace(/^\[(.*)\]$/, '$1')],
      ],
    },
    ...registration,
  ]
}

function hostOf(address: string): string {
  return address.replace(/:\d+$/, '')
}

type Fields = TrunkObject['fields']

function commonFields({ transport, srtp }: Trunk): Fields {
  return [
    ['transport', transport],
    ['disallow', 'all'],
    ['allow', 'alaw,ulaw'],
    // Sound goes through us: a carrier must not be led to another.
    ['direct_media', 'no'],
    ['rtp_symmetric', 'yes'],
    // Never optimistic: a carrier that cannot encrypt refuses the call, and no code is spoken in clear.
    ['media_encryption', srtp ? 'sdes' : 'no'],
    ['timers', 'no'],
    ['100rel', 'no'],
    ['send_connected_line', 'no'],
    ['send_diversion', 'no'],
  ]
}

function endpointFields(trunk: Trunk, host: string, hasPassword: boolean): Fields {
  const { name, callerIdHeader, fromUser } = trunk
  return [
    ...commonFields(trunk),
    ['aors', name],
    ['context', 'unavailableDispatch'],
    ['outbound_auth', hasPassword ? name : ''],
    ['from_domain', host],
    ['from_user', fromUser ?? ''],
    ['trust_id_outbound', 'yes'],
    ['send_pai', callerIdHeader === 'pai' ? 'yes' : 'no'],
    ['send_rpid', callerIdHeader === 'rpid' ? 'yes' : 'no'],
  ]
}

function authFields(user: string, password: string): Fields {
  return [
    ['auth_type', 'userpass'],
    ['username', user],
    ['password', password],
  ]
}

function registrationFields(trunk: Trunk, way: string): Fields {
  const { name, address, transport, user } = trunk
  return [
    ['transport', transport],
    ['outbound_auth', name],
    ['server_uri', `sip:${address}${way}`],
    ['client_uri', registeredAs(trunk)],
    ['contact_user', user ?? ''],
    ['expiration', '300'],
    ['retry_interval', String(registrationRetrySeconds)],
    ['forbidden_retry_interval', '60'],
    ['max_retries', '1000000'],
    // Seconds over which several trunks are spread at the beginning.
    ['max_random_initial_delay', '1'],
  ]
}
