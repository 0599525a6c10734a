// The version of everything in this repository, and what the changelog says about it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

export const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }

// For Debian a tilde sorts before everything, so a candidate is older than its release.
export const debianVersion = version.replace('-', '~')

export type ChangelogHead = { readonly version: string; readonly date: string }

/** The newest heading of the changelog: `## 1.2.3 (2026-01-31)`, or `(unreleased)` in place of the date. */
export function changelogHead(changelog: string): ChangelogHead {
  const [, heading = ''] = /^## (.*)$/m.exec(changelog) ?? []
  const [, named, date] = /^(\S+) \((\d{4}-\d\d-\d\d|unreleased)\)$/.exec(heading) ?? []
  if (named === undefined || date === undefined) {
    throw new Error(`CHANGELOG.md starts with "${heading}": write the version and its date, or (unreleased)`)
  }
  return { version: named, date }
}
