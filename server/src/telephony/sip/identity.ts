// Reads the user of a From or P-Asserted-Identity header.

// The user named by every address in the header: empty if an address cannot be parsed or two of them differ.
export function userOf(header: string): string {
  const users = new Set(addressesOf(header).map(userOfUri))
  const [user = ''] = users
  return users.size === 1 ? user : ''
}

// The same over all headers of that name; undefined if there are none.
export function userOfAll(headers: readonly string[]): string | undefined {
  return headers.length === 0 ? undefined : userOf(headers.join(','))
}

// Whether the caller asked for privacy, by a Privacy header or by an anonymous From.
export function isWithheld(privacy: string, fromUser: string): boolean {
  return /\b(id|user|header|session)\b/i.test(privacy) || /anonymous/i.test(fromUser)
}

// A quoted display name may contain anything, including brackets and commas. If there are brackets, the URI is inside them. One pass:
// the header is a stranger's.
function addressesOf(header: string): readonly string[] {
  return splitAddresses(header).map((address) => {
    if (!/[<>"]/.test(address)) return address.trim().split(';', 1)[0] ?? ''
    return /^[^<>"]*<([^<>"]*)>[^<>"]*$/.exec(address)?.[1] ?? ''
  })
}

// Many more than the addresses of a carrier's header have.
const tokensMax = 64

// At the commas outside of quotes and brackets, without what is quoted. What is not closed reaches to the end.
function splitAddresses(header: string): readonly string[] {
  const parts = ['']
  let isInBrackets = false
  let tokens = 0
  for (const [token, closing] of header.matchAll(/"(?:[^"\\]|\\[^])*("?)|[<>,]|[^"<>,]+/g)) {
    if (++tokens > tokensMax) return ['']
    if (closing === '"') continue
    if (token === '<') isInBrackets = true
    if (token === '>') isInBrackets = false
    if (token === ',' && !isInBrackets) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts
}

function userOfUri(uri: string): string {
  const [, sip, tel] = /^(?:sips?:([^@;?]*)@[^@]+|tel:([^;?]*)(?:;.*)?)$/i.exec(uri) ?? []
  return sip ?? tel ?? ''
}
