// The oldest servers that we run with.

export const postgresMajorMin = 15
// 2.12.3 fixes losses of acknowledged messages.
export const natsVersionMin = '2.12.3'
export const asteriskVersionMin = '22.10.1'

export function isOlder(version: string, min: string): boolean {
  return version.localeCompare(min, 'en', { numeric: true }) < 0
}
