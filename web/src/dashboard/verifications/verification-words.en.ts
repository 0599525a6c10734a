import { kept } from '../../words/kept.ts'

// What happened to one verification, for the customer: the cause, the side, what to do. Operators read other advice
// (server/src/domain/verifications/call-explanation.ts); a test compares reasons and statuses.

type Explained = { readonly title: string; readonly advice: string }

const retry = 'Offer to try again.'
const ours =
  'There is nothing wrong with your program or with the phone. Offer to try again; write to support if it repeats.'

export const words = {
  back: 'All verifications',
  missing: 'There is no such verification',
  missingText: 'It belongs to another account, or it is older than the retention time.',
  sides: {
    subscriber: 'It was the phone or its owner.',
    carrier: 'It was the phone network.',
    operator: 'It was on our side.',
  },
  reasons: {
    rang: { title: 'The phone rang and showed the digits', advice: '' },
    rejected: { title: 'The phone rang and was declined: the digits were seen', advice: '' },
    spoken: { title: 'The call was answered and the code was read out', advice: '' },
    'not-answered': {
      title: 'It rang, but nobody answered, so the code was not read out',
      advice: 'Ask the person to answer the call, or offer a flash call.',
    },
    'hung-up-early': {
      title: 'It was answered and hung up before the code was read out',
      advice: 'Ask the person to listen to the end. Voicemail does the same.',
    },
    'broke-off': { title: 'It rang for less than a second', advice: retry },
    announcement: {
      title: 'The network played an announcement instead of ringing',
      advice: 'The phone may be unreachable. Offer a voice call, or let the person call you.',
    },
    'answered-unseen': {
      title: 'Something answered before the phone rang',
      advice: 'Voicemail, forwarding or a call filter. Offer a voice call, or let the person call you.',
    },
    'no-ringing': {
      title: 'The network took the call, but the phone did not ring in time',
      advice: retry,
    },
    refused: { title: 'The network refused the call', advice: retry },
    silence: { title: 'The network did not reply to the call', advice: retry },
    'not-dispatched': { title: 'The call could not be handed to the phone network', advice: ours },
    'not-started': { title: 'The call was not started in time', advice: ours },
    lost: { title: 'We lost the call before the phone rang', advice: ours },
    'lost-ringing': { title: 'We lost the call while the phone was ringing', advice: ours },
    called: { title: 'The person called the confirmation number', advice: '' },
    'not-called': {
      title: 'Nobody called the confirmation number in time',
      advice: 'Show the number more clearly, or offer a flash or voice call.',
    },
  } as Record<string, Explained>,
  refusals: {
    302: {
      title: 'The phone forwards its calls',
      advice: 'Ask the person to turn off call forwarding.',
    },
    400: { title: 'The network did not understand the call', advice: retry },
    401: { title: 'The network did not accept our access', advice: ours },
    403: { title: 'The network does not allow us this call', advice: ours },
    404: { title: 'There is no such number', advice: 'Ask the person to check the number.' },
    407: { title: 'The network did not accept our access', advice: ours },
    408: {
      title: 'The network did not reach the phone in time',
      advice: 'Offer to try again later.',
    },
    410: { title: 'The number is no longer in use', advice: 'Ask the person for another number.' },
    480: {
      title: 'The phone is switched off or out of coverage',
      advice: 'Offer to try again later, or let the person call you.',
    },
    484: { title: 'The network found the number incomplete', advice: ours },
    486: {
      title: 'The line was busy',
      advice: 'Offer to try again in a minute, or let the person call you.',
    },
    487: { title: 'The network cancelled the call', advice: retry },
    488: { title: 'The network did not accept our audio format', advice: ours },
    500: { title: 'The network has an internal error', advice: retry },
    501: { title: 'The network does not support the call', advice: retry },
    502: { title: 'Another network behind the carrier failed', advice: retry },
    503: { title: 'The network had no free line', advice: retry },
    504: { title: 'Another network behind the carrier did not respond', advice: retry },
    600: { title: 'All phones of this number were busy', advice: 'Offer to try again later.' },
    603: {
      title: 'The call was declined before the phone rang',
      advice: 'A call filter does the same. Offer to try again later, or let the person call you.',
    },
    604: {
      title: 'There is no such number in any network',
      advice: 'Ask the person to check the number.',
    },
    607: {
      title: 'The network blocked the call as unwanted',
      advice: 'Offer a voice call, or let the person call you.',
    },
    608: {
      title: 'A filter of the network rejected the call',
      advice: 'Offer a voice call, or let the person call you.',
    },
  } as Record<number, Explained>,
  open: {
    checking: { title: 'The call is on its way', text: 'This page follows it by itself.' },
    ringing: { title: 'The phone is ringing', text: 'This page follows it by itself.' },
    waiting: { title: 'Waiting for the person to call', text: 'This page follows it by itself.' },
  },
  cost: {
    captured: (price: string) => `It cost ${price}.`,
    released: 'It cost nothing: the hold was released.',
    held: (price: string) => `${price} is held until it ends.`,
    test: 'It is a test and cost nothing.',
    free: 'It was a free repeat.',
  },
  nothing: 'Nothing to do.',
  copy: 'Copy for support',
  copied: 'Copied. It contains no phone number and no code.',
  repeat: 'Repeat as a test',
  repeatNote: 'Rings a virtual phone with the same mode. Costs nothing.',
  timeline: 'What happened',
  steps: {
    accepted: 'Your request was accepted',
    held: (price: string) => `${price} was held`,
    dialled: 'Dialled',
    dialledAgain: (attempt: number) => `Dialled over another carrier, attempt ${attempt}`,
    ringing: 'The phone rang',
    rangFor: (seconds: string) => `for ${seconds}\u00a0s`,
    from: 'from',
    answered: 'Answered',
    us: 'We hung up',
    them: 'The other side ended the call',
    ended: 'It ended',
    refusedWith: (status: number) => `SIP ${status}`,
    expires: 'The time to call ends',
    called: 'The person called',
    captured: (price: string) => `${price} was charged`,
    released: (price: string) => `${price} was released`,
    webhook: (status: number) => `Webhook delivered, ${status}`,
    webhookRefused: (status: number) => `Your server responded to the webhook with ${status}`,
    webhookFailed: 'The webhook was not delivered',
  },
  money: 'What it cost',
  price: 'Price',
  charged: 'Charged',
  heldLine: 'Held',
  capturedLine: 'Captured',
  releasedLine: 'Released',
  testMoney: 'A test costs nothing and has no ledger lines.',
  wire: {
    title: 'On the wire',
    note: `SIP messages with masked numbers, kept for ${kept.en.sipMessages}. An arrow opens its message.`,
    none: `No SIP messages are stored for this call: only those of failed calls are, for ${kept.en.sipMessages}, and simulated phones have none.`,
    you: 'You',
    carrier: 'Carrier',
    phone: 'Phone',
    nothingFor: (seconds: string) => `${seconds}\u00a0s of silence`,
    ringsFor: (seconds: string) => `rings for ${seconds}\u00a0s`,
  },
  request: {
    title: 'Request and response',
    note: 'As the API log keeps it. X-Request-Id:',
    none: `The API log has no row of the request: it keeps them for ${kept.en.apiRequests}, and of very many it keeps a sample.`,
  },
  facts: 'Details',
  factNames: {
    id: 'ID',
    service: 'Service',
    client: 'client',
    unique: 'unique',
    provider: 'Provider',
    region: 'Region',
    country: 'Country',
    mode: 'Mode',
    code: 'Code',
    confirmation: 'Number to call',
    first: 'Repeat of',
    repeats: 'Repeats',
  },
}
