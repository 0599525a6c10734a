// An e-mail address is one plain mailbox: letters, digits and a few signs, then the name of a host. What else RFC 5322 allows
// (quoted names, comments, groups, lists) has no use for a person, and a mail library could read it as another address.

type Email = string & { readonly unit: 'email' }

// Lower case: no mail server in use distinguishes upper from lower case. A host name in other letters becomes punycode.
// Undefined: not a mailbox.
export function parseEmail(text: string): Email | undefined {
  const typed = text.trim().toLowerCase()
  const at = typed.lastIndexOf('@')
  if (at < 1 || typed.length > lengthMax) return undefined
  const [local, host] = [typed.slice(0, at), hostOf(typed.slice(at + 1))]
  if (local.length > localMax || !dotted.test(local) || host === undefined) return undefined
  const email = `${local}@${host}`
  return email.length > lengthMax ? undefined : (email as Email)
}

// What limits count: mail servers deliver you+shop@ to you@.
export function mailboxOf(email: string): string {
  const [local = '', host = ''] = email.split('@')
  return `${local.replace(/(?<=.)\+.*$/, '')}@${host}`
}

// The longest path of RFC 5321.
const lengthMax = 254

const localMax = 64

// No slash: a mail program would make a link of www.example.org/path@example.net.
const dotted = /^[a-z0-9!#$%&'*+=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+=?^_`{|}~-]+)*$/

const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z][a-z0-9-]{0,61}[a-z0-9]$/

function hostOf(text: string): string | undefined {
  // In ASCII nothing is converted: URL would also decode %2e and read 0x7f.1 as an address.
  const isOther = /[^\p{ASCII}]/u.test(text) && /^[\p{L}\p{M}\p{N}.-]+$/u.test(text)
  if (isOther && !URL.canParse(`http://${text}`)) return undefined
  const host = isOther ? new URL(`http://${text}`).hostname : text
  return hostName.test(host) ? host : undefined
}

// A name that a stranger reads in a message from us. Anyone may have chosen it, so it must not make the message lead anywhere: mail
// programs turn addresses into links, and a telephone number is as good as one.

const nameLengthMax = 60

const digitsMax = 6

// Undefined: the message does without it.
export function plainName(name: string): string | undefined {
  const plain = name.trim()
  if (plain === '' || plain.length > nameLengthMax || leading.test(plain)) return undefined
  return plain.replaceAll(/\P{Nd}/gu, '').length > digitsMax ? undefined : plain
}

// A path, a mailbox, a line break or an invisible sign, or a dot between letters, in any script.
const leading = /[/\\@:\p{C}\p{Zl}\p{Zp}]|[\p{L}\p{N}][.\u2024\u3002\uff0e\uff61][\p{L}\p{N}]/u
