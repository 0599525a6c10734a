import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Creates an empty directory beside the given path, to build in and then rename to that path.
 *
 * So a crash never leaves something incomplete under the final name. The draft's name is new each time, because a helper
 * program of a killed run may still be writing into the old one; old drafts are removed.
 */
export async function draftDirectory(finalPath: string): Promise<string> {
  const parent = dirname(finalPath)
  const prefix = `${basename(finalPath)}.draft-`
  await mkdir(parent, { recursive: true })
  for (const entry of await readdir(parent)) {
    if (entry.startsWith(prefix)) await rm(join(parent, entry), { recursive: true, force: true, maxRetries: 5 })
  }
  return await mkdtemp(join(parent, prefix))
}
