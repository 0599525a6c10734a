// A name that a stranger reads in a message from us. Anyone may have chosen it, so it must not make the message lead anywhere: mail
// programs turn addresses into links, and a telephone number is as good as one.

const lengthMax = 60
const digitsMax = 6

// Undefined: the message does without it.
export function plainName(name: string): string | undefined {
  const plain = name.trim()
  if (plain === '' || plain.length > lengthMax || leading.test(plain)) return undefined
  return plain.replaceAll(/\P{Nd}/gu, '').length > digitsMax ? undefined : plain
}

// A path, a mailbox, a line break or an invisible sign, or a dot between letters, in any script.
const leading = /[/\\@:\p{C}\p{Zl}\p{Zp}]|[\p{L}\p{N}][.\u2024\u3002\uff0e\uff61][\p{L}\p{N}]/u
