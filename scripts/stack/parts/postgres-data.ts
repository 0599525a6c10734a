// PostgreSQL's data directory and its owner.

import { existsSync } from 'node:fs'
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { draftDirectory } from '../draft.ts'
import { plainEnvironment, processesIn, run } from '../process.ts'
import { type State, stackDirectory } from '../state.ts'

export const postgresDirectory = join(stackDirectory, 'postgres')
export const dataDirectory = join(postgresDirectory, 'data')

const orphanTimeoutMs = 30_000
const orphanPollMs = 50

/** Creates the data directory unless it exists. */
export async function createDataDirectory(
  state: State,
  initdb: string,
  asServerUser: readonly string[],
): Promise<void> {
  if ((await dataMajor()) !== undefined) return
  const draft = await draftDirectory(dataDirectory)
  const passwordPath = join(postgresDirectory, 'superuser-password')
  await rm(passwordPath, { force: true })
  await writeFile(passwordPath, state.passwords.postgresSuperuser, { mode: 0o600 })
  if (asServerUser.length > 0) {
    const { uid, gid } = await serverUser()
    for (const path of [draft, passwordPath]) await chown(path, uid, gid)
  }
  const access = ['--username=postgres', `--pwfile=${passwordPath}`, '--auth=scram-sha-256']
  const shape = ['--encoding=UTF8', '--locale=C', '--data-checksums']
  await run([...asServerUser, initdb, '-D', draft, ...access, ...shape], { env: plainEnvironment })
  await rm(passwordPath)
  await rename(draft, dataDirectory)
}

/**
 * Allows a start after the server or the machine was killed.
 *
 * Sessions of a killed server may keep running for a while, and its lock file may name a PID that another process has now;
 * PostgreSQL refuses to start in both cases. All its processes have the data directory as working directory: if none is
 * left, the data is not in use and the lock file is stale.
 */
export async function clearAfterCrash(): Promise<void> {
  const lockPath = join(dataDirectory, 'postmaster.pid')
  if (!existsSync(lockPath)) return
  const deadlineMs = performance.now() + orphanTimeoutMs
  for (let pids = processesIn(dataDirectory); pids.length > 0; pids = processesIn(dataDirectory)) {
    if (performance.now() > deadlineMs) throw new Error(`processes still use ${dataDirectory}: ${pids.join(', ')}`)
    await sleep(orphanPollMs)
  }
  await rm(lockPath)
}

/** The major version that created the data directory, if it exists. */
export async function dataMajor(): Promise<number | undefined> {
  const text = await readFile(join(dataDirectory, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text)
}

/** The command prefix for programs that PostgreSQL refuses to run as root; they must be able to read the given path. */
export async function serverUserCommand(readablePath: string): Promise<string[]> {
  if (process.getuid?.() !== 0) return []
  const { uid, gid } = await serverUser()
  const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  try {
    await run([...asUser, 'test', '-r', readablePath])
    return asUser
  } catch {
    // The repository is below a directory that this user cannot read, such as root's home.
    return [...asUser, '--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  }
}

async function serverUser(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => run(['id', option, 'postgres'])))
  return { uid: Number(uid), gid: Number(gid) }
}
