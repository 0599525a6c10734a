// Money is a whole number of micro-roubles. Input is parsed digit by digit, never as floating point, with at most four
// decimals, because that is what the API can show.

export type MicroRoubles = number & { readonly unit: 'micro-roubles' }

export const zeroMoney = 0 as MicroRoubles

// The largest amount: a billion roubles, well below 2^53 micro-roubles.
export const moneyMax = 1_000_000_000_000_000 as MicroRoubles

// '12', '0.8', '0.0001' → micro-roubles; anything else → undefined.
export function parseRoubles(text: string): MicroRoubles | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,4}))?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  const micro = Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'))
  return micro <= moneyMax ? (micro as MicroRoubles) : undefined
}

export function addMoney(...amounts: readonly MicroRoubles[]): MicroRoubles {
  const sum = amounts.reduce<number>((total, amount) => total + amount, 0)
  if (!Number.isSafeInteger(sum)) throw new RangeError('sum of money exceeds 2^53 micro-roubles')
  return sum as MicroRoubles
}

export function negative(amount: MicroRoubles): MicroRoubles {
  return (0 - amount) as MicroRoubles
}

// For people and JSON strings: '99.2', '100', '-0.0001'.
export function formatRoubles(amount: MicroRoubles): string {
  const digits = String(Math.abs(amount)).padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -6)}${fraction ? `.${fraction}` : ''}`
}

// For JSON numbers: the double nearest to the decimal text, so that 0.8 is 0.8.
export function toRoubles(amount: MicroRoubles): number {
  return Number(formatRoubles(amount))
}
