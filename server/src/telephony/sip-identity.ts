// Who a From or P-Asserted-Identity header names.

// The user that every address of the header names: empty when an address cannot be read, or when two of them differ.
export function userOf(header: string): string {
  const users = new Set(addressesOf(header).map(userOfUri))
  const [user = ''] = users
  return users.size === 1 ? user : ''
}

// The same over all headers of that name; undefined where the message has none.
export function userOfAll(headers: readonly string[]): string | undefined {
  return headers.length === 0 ? undefined : userOf(headers.join(','))
}

// A display name may hold anything in quotes, also brackets and commas. Where there are brackets, the URI stands inside.
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
