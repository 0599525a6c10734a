// Versions of the program and of a database schema. Migrations first expand the schema and contract it one minor version
// later, so a program runs on the schema of the next minor version, but not on a later one. That lets an upgrade replace
// processes one by one. A schema never goes back.

// Why this program must not migrate a database of that version; undefined if it may.
export function whyNotMigrate(program: string, schema: string): string | undefined {
  if (schema === '' || compare(program, schema) >= 0) return undefined
  return (
    `Ringproof ${schema} has migrated this database, and this is ${program}. A downgrade is not possible: run ${schema} or ` +
    'newer, or restore the backup from before the upgrade (docs/operations/upgrade.md).'
  )
}

// Why this program must not serve on such a schema; undefined if it may.
export function whyNotServe(program: string, schema: string): string | undefined {
  if (schema === '' || compare(program, schema) >= 0) return undefined
  const [own, other] = [partsOf(program), partsOf(schema)]
  if (own.major === other.major && other.minor <= own.minor + 1) return undefined
  return `Ringproof ${schema} has migrated this database, and ${program} is too old for it. Run ${schema} or newer.`
}

type Parts = { readonly major: number; readonly minor: number; readonly patch: number; readonly rest: string }

// A release is newer than its candidates.
function compare(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  const byNumber = one.major - other.major || one.minor - other.minor || one.patch - other.patch
  if (byNumber !== 0 || one.rest === other.rest) return byNumber
  if (one.rest === '' || other.rest === '') return one.rest === '' ? 1 : -1
  return one.rest.localeCompare(other.rest, 'en', { numeric: true })
}

function partsOf(version: string): Parts {
  const [, major, minor, patch, rest = ''] = /^(\d+)\.(\d+)\.(\d+)(?:-(.+))?$/.exec(version) ?? []
  if (patch === undefined) throw new RangeError(`${version} is not a version`)
  return { major: Number(major), minor: Number(minor), patch: Number(patch), rest }
}

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
