// The ARI request that dials. It becomes an INVITE, so only validated digits and our own names go into it: the called number
// and the caller ID, both in the trunk's format.

import type { Trunk } from '../../domain/trunks/trunk.ts'
import { dialledNumbers } from '../sip/dialled-numbers.ts'
import type { SipAddress } from '../sip/hep.ts'
import type { Dial } from '../switch.ts'
import type { AriRequest } from './ari-connection.ts'
import { endpointOf, isBehindEdge } from './trunks.ts'

export function inviteRequest(
  node: string,
  trunk: Trunk,
  { channelId, originateTimeoutMs, ...numbers }: Dial,
  proxy?: SipAddress,
): AriRequest {
  const { called, caller } = dialledNumbers(trunk, numbers)
  const timeout = String(Math.ceil(originateTimeoutMs / 1_000))
  // The edge removes it. It cancels a call that Asterisk no longer can.
  const variables = { 'PJSIP_HEADER(add,X-Ring-Seconds)': timeout }
  return {
    method: 'POST',
    path: 'channels',
    query: {
      endpoint: `PJSIP/${called}@${endpointOf(trunk.name)}`,
      app: node,
      channelId: channelOf(node, channelId),
      callerId: caller,
      timeout,
    },
    ...(isBehindEdge(trunk, proxy) ? { body: { variables } } : {}),
  }
}

// Prefixed with the node name, so that each node finds its channels in a shared Asterisk.
export function channelOf(node: string, channelId: string): string {
  if (!/^[\w-]{1,64}$/.test(channelId))
    throw new RangeError('a channel ID consists of 1 to 64 letters, digits, underscores and dashes')
  return `${node}.${channelId}`
}
