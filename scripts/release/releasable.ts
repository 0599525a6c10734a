// Whether HEAD may be released under its version.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headCommit } from '../image/build.ts'
import { repository } from '../image/program.ts'
import { run } from '../stack/process.ts'
import { type ChangelogHead, changelogHead, version } from './version.ts'

/** Throws if not; otherwise returns whether HEAD has the tag of the version. */
export async function assertReleasable(): Promise<boolean> {
  const head = changelogHead(readFileSync(join(repository, 'CHANGELOG.md'), 'utf8'))
  const { revision } = await headCommit()
  const list = ['for-each-ref', '--format=%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)']
  const tagged = (await run(['git', ...list, `refs/tags/v${version}`], { cwd: repository })).trim()
  const problem = whyNotRelease(version, head, tagged, revision)
  if (problem !== undefined) throw new Error(problem)
  return tagged !== ''
}

/** The commit of the tag is empty if there is no tag. */
export function whyNotRelease(
  wanted: string,
  head: ChangelogHead,
  taggedCommit: string,
  commit: string,
): string | undefined {
  if (head.version !== wanted) {
    return `CHANGELOG.md starts with ${head.version}, but package.json says ${wanted}. Make them agree.`
  }
  if (taggedCommit !== '' && taggedCommit !== commit) {
    return `v${wanted} is another commit, ${taggedCommit.slice(0, 12)}. Raise the version: two releases never share one.`
  }
  if (taggedCommit !== '' && head.date === 'unreleased')
    return `v${wanted} is tagged, but CHANGELOG.md has no date for it.`
  return undefined
}
