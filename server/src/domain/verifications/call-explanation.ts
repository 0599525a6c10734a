// Why a call ended as it did: the cause in one sentence, the side at fault, and what to do. A refused call is explained by its
// SIP status. docs/reference/calls.md contains these tables; a test compares the two.

import type { EndReason } from './describe-verification.ts'

export type Explanation = {
  readonly cause: string
  readonly atFault: 'nobody' | 'the subscriber' | 'the carrier' | 'the operator'
  readonly advice: string
}

export const explanations: Readonly<Record<EndReason, Explanation>> = {
  rang: { cause: 'The phone rang and showed the caller ID.', atFault: 'nobody', advice: 'No action needed.' },
  rejected: {
    cause: 'The subscriber rejected the ringing call, so the caller ID was seen.',
    atFault: 'nobody',
    advice: 'No action needed.',
  },
  spoken: {
    cause: 'The call was answered and the code was spoken.',
    atFault: 'nobody',
    advice: 'No action needed.',
  },
  'not-answered': {
    cause: 'The phone rang, but the call was not answered.',
    atFault: 'the subscriber',
    advice: 'Ask the user to answer the call, or offer a flash call.',
  },
  'hung-up-early': {
    cause: 'The call was answered, but ended before the code was spoken once.',
    atFault: 'the subscriber',
    advice: 'Ask the user to listen to the end. Voicemail also causes this.',
  },
  'broke-off': {
    cause: 'The phone rang for less than a second.',
    atFault: 'the carrier',
    advice: 'Retry. If it happens often on one trunk, ask the carrier whether it filters our caller ID.',
  },
  announcement: {
    cause: 'The carrier sent early media (183), such as an announcement, and never reported ringing (180).',
    atFault: 'the carrier',
    advice: 'If phones do ring on this trunk, set --counts-early-media on. Otherwise the phone is unreachable.',
  },
  'answered-unseen': {
    cause: 'The call was answered before the phone rang: voicemail, call forwarding or a call filter.',
    atFault: 'the subscriber',
    advice: 'Offer a voice or an inbound verification.',
  },
  'no-ringing': {
    cause: 'The carrier accepted the call but did not report ringing before the ring timeout.',
    atFault: 'the carrier',
    advice: 'Retry. If it happens often on one trunk, ask the carrier.',
  },
  refused: {
    cause: 'The call was rejected.',
    atFault: 'the carrier',
    advice: 'Ask the carrier what the status means.',
  },
  silence: {
    cause: 'The carrier of the last trunk did not respond to the INVITE.',
    atFault: 'the carrier',
    advice: 'Check ringproof trunks list. If the carrier is up, ask whether it accepts our IP address.',
  },
  'not-dispatched': {
    cause: 'The call could not be dispatched to a telephony node.',
    atFault: 'the operator',
    advice: 'Check that NATS is up.',
  },
  'not-started': {
    cause: 'No telephony node claimed the call within ten seconds.',
    atFault: 'the operator',
    advice: 'Check that a node is running, and that the trunk has enough channels and calls per second.',
  },
  lost: {
    cause: 'The node failed after dialling, before the phone rang.',
    atFault: 'the operator',
    advice: 'Check the log of the node. Nothing was charged.',
  },
  'lost-ringing': {
    cause: 'The node failed while the phone was ringing.',
    atFault: 'the operator',
    advice: 'Check the log of the node.',
  },
  called: {
    cause: 'The subscriber called the confirmation number in time.',
    atFault: 'nobody',
    advice: 'No action needed.',
  },
  'not-called': {
    cause: 'The subscriber did not call the confirmation number in time.',
    atFault: 'the subscriber',
    advice: 'Show the number more clearly, or offer a flash or voice call.',
  },
}

export const refusalExplanations: Readonly<Record<number, Explanation>> = {
  302: {
    cause: 'The carrier returned a redirect (call forwarding).',
    atFault: 'the subscriber',
    advice: 'Redirects are not followed. Ask the user to turn off call forwarding.',
  },
  400: ofCarrier(
    'The carrier rejected the request as malformed.',
    'Compare the number formats of the trunk with the carrier documentation.',
  ),
  401: ofOperator(
    'The carrier requires a user name and password.',
    'Set --user and --password-file with ringproof trunks set.',
  ),
  403: ofOperator(
    'The carrier does not allow the call.',
    'Ask the carrier about our IP address, our caller ID and our balance.',
  ),
  404: ofSubscriber('The number does not exist.', 'Ask the user to check the number.'),
  407: ofOperator(
    'The carrier requires a user name and password.',
    'Set --user and --password-file with ringproof trunks set.',
  ),
  408: ofSubscriber('The network did not reach the phone in time.', 'Retry later.'),
  410: ofSubscriber('The number is no longer in use.', 'Ask the user for another number.'),
  480: ofSubscriber('The phone is switched off or out of coverage.', 'Retry later.'),
  484: ofOperator(
    'The carrier reports an incomplete number.',
    'Check --called-format and --called-prefix of the trunk.',
  ),
  486: ofSubscriber('The line is busy.', 'Retry in a minute.'),
  487: ofCarrier('The network cancelled the call.', 'Retry.'),
  488: ofOperator('The carrier does not accept our codecs.', 'Ask the carrier to allow G.711 (A-law or mu-law).'),
  500: ofCarrier('The carrier has an internal error.', 'Retry. A second trunk helps.'),
  501: ofCarrier('The carrier does not support the request.', 'Ask the carrier why.'),
  502: ofCarrier('A network behind the carrier failed.', 'Retry. A second trunk helps.'),
  503: ofCarrier(
    'The carrier is overloaded, or all our channels are in use.',
    'Compare --channels and --calls-per-second with the carrier contract.',
  ),
  504: ofCarrier('A network behind the carrier did not respond.', 'Retry. A second trunk helps.'),
  600: ofSubscriber('All phones of the number are busy.', 'Retry later.'),
  603: ofSubscriber('The call was declined before the phone rang.', 'Retry later. A call filter also causes this.'),
  604: ofSubscriber('The number does not exist in any network.', 'Ask the user to check the number.'),
  607: ofCarrier('The call was blocked as unwanted.', 'Ask the carrier why our caller ID is treated as spam.'),
  608: ofCarrier('The call was rejected by a network filter.', 'Ask the carrier why our caller ID is treated as spam.'),
}

// Undefined for a reason written by a newer version.
export function explain(reason: string, sipStatus: number | null): Explanation | undefined {
  if (reason === 'refused' && sipStatus !== null && refusalExplanations[sipStatus])
    return refusalExplanations[sipStatus]
  return Object.hasOwn(explanations, reason) ? explanations[reason as EndReason] : undefined
}

// How a verification ended, as one word: the reason, and of a refused call its SIP status. All that are this side's fault.
export function endsOfSide(side: Explanation['atFault']): readonly string[] {
  const reasons = Object.keys(explanations).filter(
    (reason) => reason !== 'refused' && explanations[reason as EndReason].atFault === side,
  )
  // Without a status it is 0.
  const statuses = [0, ...Array.from({ length: 400 }, (_, index) => 300 + index)]
  return [
    ...reasons,
    ...statuses.filter((status) => explain('refused', status)?.atFault === side).map((status) => `refused ${status}`),
  ]
}

function ofCarrier(cause: string, advice: string): Explanation {
  return { cause, atFault: 'the carrier', advice }
}

function ofOperator(cause: string, advice: string): Explanation {
  return { cause, atFault: 'the operator', advice }
}

function ofSubscriber(cause: string, advice: string): Explanation {
  return { cause, atFault: 'the subscriber', advice }
}
