// The oldest servers that we run with.

export const postgresMajorMin = 15
// 2.12.3 fixes losses of acknowledged messages.
export const natsVersionMin = '2.12.3'
export const asteriskVersionMin = '22.10.1'
export const kamailioAdvice = 'Kamailio 6.0 of Debian 13 or 5.6 of Debian 12'
export const kamailioVersionMin = '5.6.0'
// They lose transactions whose INVITE is repeated quickly, and calls with them.
export const kamailioVersionsBad: readonly string[] = ['6.1.4', '6.1.5']

export function isOlder(version: string, min: string): boolean {
  return version.localeCompare(min, 'en', { numeric: true }) < 0
}

// Why this Kamailio cannot be the edge, as one sentence; undefined if it can.
export function kamailioFault(version: string): string | undefined {
  if (kamailioVersionsBad.includes(version)) return `Kamailio ${version} loses calls whose INVITE is repeated quickly.`
  if (isOlder(version, kamailioVersionMin))
    return `Kamailio ${version} is too old: ${kamailioVersionMin} or newer is needed.`
  return undefined
}
