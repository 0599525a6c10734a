// A Russian number as people write it: ten digits, with or without +7, 7 or 8.
export function parseNational(text: string): number | undefined {
  const [, national] = /^[78]?(\d{10})$/.exec(text.replaceAll(/[\s()+-]/g, '')) ?? []
  return national === undefined ? undefined : Number(national)
}
