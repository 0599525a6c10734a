// Why a call came to what it came to, in a sentence for people, with the side at fault and what to do about it. A call that
// the other side refused is explained by its SIP status. docs/reference/calls.md is this table; a test holds the two together.

import type { EndReason } from './describe-verification.ts'

export type Explanation = {
  readonly cause: string
  readonly atFault: 'nobody' | 'the subscriber' | 'the carrier' | 'the operator'
  readonly advice: string
}

export const explanations: Readonly<Record<EndReason, Explanation>> = {
  rang: { cause: 'The phone rang and showed our number.', atFault: 'nobody', advice: 'Nothing is to be done.' },
  rejected: {
    cause: 'The subscriber rejected the ringing call, so our number was seen.',
    atFault: 'nobody',
    advice: 'Nothing is to be done.',
  },
  spoken: {
    cause: 'The call was answered and the code was spoken.',
    atFault: 'nobody',
    advice: 'Nothing is to be done.',
  },
  'not-answered': {
    cause: 'The phone rang and nobody answered to hear the code.',
    atFault: 'the subscriber',
    advice: 'Ask the person to answer, or offer a flash call.',
  },
  'hung-up-early': {
    cause: 'The call was answered and ended before the code was spoken once.',
    atFault: 'the subscriber',
    advice: 'Ask the person to listen to the end; a voicemail does this too.',
  },
  'broke-off': {
    cause: 'The phone began to ring and stopped within a second.',
    atFault: 'the carrier',
    advice: 'Try again; if it happens often over one trunk, ask its carrier whether it filters our number.',
  },
  announcement: {
    cause: 'The carrier played an announcement or early sound and never said that the phone rings.',
    atFault: 'the carrier',
    advice: 'If phones do ring over this trunk, set it to count early media; else the phone is out of reach.',
  },
  'answered-unseen': {
    cause: 'Something answered before the phone rang: a voicemail or a call filter.',
    atFault: 'the subscriber',
    advice: 'Offer a spoken code, or a call that the person makes.',
  },
  'no-ringing': {
    cause: 'The carrier was still looking for the phone when we gave up.',
    atFault: 'the carrier',
    advice: 'Try again; if it happens often over one trunk, ask its carrier.',
  },
  refused: {
    cause: 'The call was refused.',
    atFault: 'the carrier',
    advice: 'Look the status up with the carrier.',
  },
  silence: {
    cause: 'The carrier of the last trunk did not answer at all.',
    atFault: 'the carrier',
    advice: 'Look at ringproof trunks list; if the carrier is up, ask it whether it lets our address in.',
  },
  'not-dispatched': {
    cause: 'The call could not be handed to a telephony node.',
    atFault: 'the operator',
    advice: 'Look whether NATS is up.',
  },
  'not-started': {
    cause: 'No telephony node took the call within ten seconds.',
    atFault: 'the operator',
    advice: 'Look whether a node runs, and whether the trunk has enough channels and calls a second.',
  },
  lost: {
    cause: 'The node that dialled was lost before the phone rang.',
    atFault: 'the operator',
    advice: 'Look into the log of the node; nothing was charged.',
  },
  'lost-ringing': {
    cause: 'The node that dialled was lost while the phone rang.',
    atFault: 'the operator',
    advice: 'Look into the log of the node.',
  },
  called: {
    cause: 'The subscriber called the confirmation number in time.',
    atFault: 'nobody',
    advice: 'Nothing is to be done.',
  },
  'not-called': {
    cause: 'The subscriber did not call the confirmation number in time.',
    atFault: 'the subscriber',
    advice: 'Show the number more clearly, or offer a call that we make.',
  },
}

export const refusalExplanations: Readonly<Record<number, Explanation>> = {
  302: {
    cause: 'The carrier wanted the call to go to another number.',
    atFault: 'the subscriber',
    advice: 'Calls are never diverted: the person must switch the diversion off.',
  },
  400: ofCarrier(
    'The carrier could not read our request.',
    'Compare the formats of the trunk with what the carrier asks for.',
  ),
  401: ofOperator('The carrier wants a user and a password.', 'Set them with ringproof trunks set.'),
  403: ofOperator(
    'The carrier does not let us call.',
    'Ask it whether it knows our address, our number and our balance.',
  ),
  404: ofSubscriber('There is no such number.', 'Ask the person to check what they typed.'),
  407: ofOperator('The carrier wants a user and a password.', 'Set them with ringproof trunks set.'),
  408: ofSubscriber('The network found no phone in time.', 'Try again later.'),
  410: ofSubscriber('The number is no longer in use.', 'Ask the person for another one.'),
  480: ofSubscriber('The phone is switched off or out of reach.', 'Try again later.'),
  484: ofOperator('The carrier calls the number incomplete.', 'Check the called-number format of the trunk.'),
  486: ofSubscriber('The line is busy.', 'Try again in a minute.'),
  487: ofCarrier('The network took the call back.', 'Try again.'),
  488: ofOperator('The carrier does not take our sound formats.', 'Ask it for A-law or mu-law.'),
  500: ofCarrier('The carrier failed.', 'Try again; another trunk helps.'),
  501: ofCarrier('The carrier cannot do what we ask.', 'Ask it why.'),
  502: ofCarrier('A network behind the carrier failed.', 'Try again; another trunk helps.'),
  503: ofCarrier(
    'The carrier is overloaded, or our channels are used up.',
    'Compare channels and calls a second with the contract.',
  ),
  504: ofCarrier('A network behind the carrier did not answer.', 'Try again; another trunk helps.'),
  600: ofSubscriber('The line is busy everywhere.', 'Try again later.'),
  603: ofSubscriber('The call was declined before the phone rang.', 'Try again later; a call filter does this too.'),
  604: ofSubscriber('There is no such number anywhere.', 'Ask the person to check what they typed.'),
  607: ofCarrier('The call was blocked as unwanted.', 'Ask the carrier why our number is taken for spam.'),
  608: ofCarrier(
    'The call was rejected by a filter of a network.',
    'Ask the carrier why our number is taken for spam.',
  ),
}

// Undefined for a reason that a newer program has written.
export function explain(reason: string, sipStatus: number | null): Explanation | undefined {
  if (reason === 'refused' && sipStatus !== null && refusalExplanations[sipStatus])
    return refusalExplanations[sipStatus]
  return Object.hasOwn(explanations, reason) ? explanations[reason as EndReason] : undefined
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
