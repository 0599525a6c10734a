// What a password must be. The server refuses by these rules, and pages show them while the password is typed.

import { passwordLengthMin } from '../lists/people.ts'

export type PasswordFault = 'short' | 'contains-email' | 'common'

export function passwordFaults(password: string, email: string): readonly PasswordFault[] {
  const plain = password.toLowerCase()
  const [mailbox = ''] = email.toLowerCase().split('@')
  return [
    ...([...password].length < passwordLengthMin ? (['short'] as const) : []),
    ...(mailbox.length > 2 && plain.includes(mailbox) ? (['contains-email'] as const) : []),
    ...(isCommon(plain) ? (['common'] as const) : []),
  ]
}

// Also a common one that was only made longer: password1234, qwertyqwerty.
function isCommon(plain: string): boolean {
  const letters = plain.replaceAll(/[^\p{L}]/gu, '')
  const isRepetition = /^(.{1,6})\1+$/u.test(plain)
  const isSequence = '01234567890123456789'.includes(plain) || '98765432109876543210'.includes(plain)
  return commonPasswords.has(plain) || commonPasswords.has(letters) || isRepetition || isSequence
}

// The letters of passwords that everybody tries first, with 12 characters or more once digits are added.
const commonPasswords: ReadonlySet<string> = new Set(
  `password passwords passw parol parolparol пароль парольпароль qwerty qwertyuiop qwertyuiopasdf йцукен йцукенгшщзхъ
  asdfghjkl asdfghjklzxc zxcvbnm abc abcd abcdef abcdefgh abcdefghijkl admin administrator root letmein welcome
  iloveyou monkey dragon football baseball sunshine princess superman master login access changeme secret default
  test testtest guest user demo ringproof correcthorsebatterystaple trustno whatever starwars google qazwsx qazwsxedc
  qazwsxedcrfv lovelove hellohello welcomewelcome password! маринамарина наташа любовь солнышко привет приветпривет
  москва россия спартак зенит`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
