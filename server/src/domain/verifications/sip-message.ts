// One SIP message of a call, as it is stored: without numbers. Its text has placeholders instead, which are filled in when it
// is shown: the called number with the mask of the verification, the caller with its last four digits once nobody can use the
// code any more. In a flash call these digits are the code.

export type SipMessage = {
  // By the clock of the switch, in Unix time.
  readonly atMs: number
  // Sent by us, or received.
  readonly isSent: boolean
  // "host:port"; absent in what an older version stored.
  readonly source?: string
  readonly destination?: string
  readonly text: string
}

// Which calls' messages are stored.
export const sipMessageChoices = ['failed', 'all', 'off'] as const
export type SipMessageChoice = (typeof sipMessageChoices)[number]

export const phonePlaceholder = '<phone>'
export const callerPlaceholder = '<caller>'

export function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

export function fillPlaceholders(text: string, phoneMask: string, callerDigits: string | undefined): string {
  const caller = callerDigits === undefined ? '***' : `***${callerDigits}`
  return text.replaceAll(phonePlaceholder, phoneMask).replaceAll(callerPlaceholder, caller)
}

const host = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)`
// In a URI with a user, a Via and a Call-ID.
const namedHost = new RegExp(String.raw`(?<=@|SIP/2\.0/[A-Z]+ |received=|maddr=)${host}`, 'g')
const hostOfUri = new RegExp(String.raw`(?<=^|sips?:)${host}`, 'g')
const addressAnywhere = /(?<=IN IP[46] )\S+|\b\d{1,3}(?:\.\d{1,3}){3}\b/g
const hiddenHost = 'host.invalid'

// Which carriers an operator uses, and where its nodes are, is not a customer's business.
export function hideHosts(text: string): string {
  return text
    .replaceAll(/(sips?:)([^\s>;]*)/g, (uri: string, scheme: string, place: string) =>
      place.includes('@') ? uri : `${scheme}${place.replaceAll(hostOfUri, hiddenHost)}`,
    )
    .replaceAll(namedHost, hiddenHost)
    .replaceAll(addressAnywhere, hiddenHost)
}
