// A trunk as PJSIP objects. The outgoing and the incoming side are two endpoints: on a 302 Asterisk looks up the new number
// in the endpoint's dialplan context, and that must not be the context of inbound calls.

import type { Trunk } from '../../domain/trunks/trunk.ts'
import { formatSipAddress, type SipAddress } from '../sip/hep.ts'

// With it the edge knows Asterisk, which cannot sign requests.
export type EdgeProxy = SipAddress & { readonly key: string }

// In reverse dependency order, in which they are deleted.
export const objectTypes = ['registration', 'identify', 'endpoint', 'aor', 'auth'] as const

export type TrunkObject = {
  readonly type: (typeof objectTypes)[number]
  readonly id: string
  // In this order and complete: Asterisk keeps the old value of a field that is missing.
  readonly fields: readonly (readonly [attribute: string, value: string])[]
}

// A carrier that is gone must be seen within ten seconds.
const qualifySeconds = 4
const registrationRetrySeconds = 15

export function endpointOf(trunk: string): string {
  return trunk
}

// Trunk names contain no underscore.
function inboundEndpointOf(trunk: string): string {
  return `${trunk}_in`
}

// The trunk of an inbound channel, from its Asterisk channel name.
export function trunkOfInbound(channelName: string): string | undefined {
  return /^PJSIP\/([a-z0-9-]+)_in-[0-9a-f]+$/.exec(channelName)?.[1]
}

// Our SIP address at a carrier that we register with.
export function registeredAs({ user, address }: Trunk): string {
  return `sip:${user}@${hostOf(address)}`
}

// Over UDP and TCP carriers see only the edge. TLS is for Asterisk alone: the edge cannot verify a carrier's name (ADR 34).
export function isBehindEdge({ transport }: Trunk, proxy: SipAddress | undefined): boolean {
  return proxy !== undefined && transport !== 'tls'
}

// In dependency order.
export function trunkObjects(trunk: Trunk, password: string | undefined, proxy?: EdgeProxy): readonly TrunkObject[] {
  const { name, address, transport, user } = trunk
  const proxyUri = proxy && isBehindEdge(trunk, proxy) ? `sip:${formatSipAddress(proxy)};lr;key=${proxy.key}` : ''
  const outboundProxy = ['outbound_proxy', proxyUri] as const
  // The edge is sent to over UDP, whatever it speaks with the carrier.
  const way: Fields = [['transport', proxyUri === '' ? transport : 'udp'], outboundProxy]
  const host = hostOf(address)
  const transportParameter = transport === 'udp' ? '' : `;transport=${transport}`
  const hasPassword = user !== null && password !== undefined
  const auth: TrunkObject[] = hasPassword ? [{ type: 'auth', id: name, fields: authFields(user, password) }] : []
  const registration: TrunkObject[] =
    hasPassword && trunk.outboundRegistration
      ? [{ type: 'registration', id: name, fields: [...way, ...registrationFields(trunk, transportParameter)] }]
      : []
  return [
    ...auth,
    {
      type: 'aor',
      id: name,
      fields: [
        outboundProxy,
        ['contact', `sip:${address}${transportParameter}`],
        ['qualify_frequency', String(qualifySeconds)],
        // Generous, so that one late reply does not take the trunk out of service. Behind the edge even a refused connection takes as long.
        ['qualify_timeout', proxyUri === '' ? '6.0' : '4.0'],
      ],
    },
    { type: 'endpoint', id: endpointOf(name), fields: [...way, ...endpointFields(trunk, host, hasPassword)] },
    {
      type: 'endpoint',
      id: inboundEndpointOf(name),
      fields: [['transport', transport], ...commonFields(trunk), ['context', 'incoming'], ['trust_id_inbound', 'yes']],
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

function commonFields({ srtp }: Trunk): Fields {
  return [
    ['disallow', 'all'],
    ['allow', 'alaw,ulaw'],
    // Media goes through Asterisk: carriers must not be connected to each other.
    ['direct_media', 'no'],
    ['rtp_symmetric', 'yes'],
    // Never optimistic: a carrier without SRTP refuses the call, and no code is spoken unencrypted.
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
    ['context', 'nowhere'],
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

function registrationFields(trunk: Trunk, transportParameter: string): Fields {
  const { name, address, user } = trunk
  return [
    ['outbound_auth', name],
    ['server_uri', `sip:${address}${transportParameter}`],
    ['client_uri', registeredAs(trunk)],
    ['contact_user', user ?? ''],
    ['expiration', '300'],
    ['retry_interval', String(registrationRetrySeconds)],
    ['forbidden_retry_interval', '60'],
    ['max_retries', '1000000'],
    // Seconds over which the first registrations of several trunks are spread.
    ['max_random_initial_delay', '1'],
  ]
}
