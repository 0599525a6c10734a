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

// A quoted display name may contain anything, including brackets and commas. If there are brackets, the URI is inside them.
function addressesOf(header: string): readonly string[] {
  const bare = header.replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
  return bare.split(/,(?![^<]*>)/).map((address) => {
    if (!/[<>"]/.test(address)) return address.trim().replace(/;.*$/, '')
    return /^[^<>"]*<([^<>"]*)>[^<>"]*$/.exec(address)?.[1] ?? ''
  })
}

function userOfUri(uri: string): string {
  const [, sip, tel] = /^(?:sips?:([^@;?]*)@[^@]+|tel:([^;?]*)(?:;.*)?)$/i.exec(uri) ?? []
  return sip ?? tel ?? ''
}
