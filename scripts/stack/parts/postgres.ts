import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseRoles, groupOf } from '../../../server/src/domain/core/database-role.ts'
import { installPackage, refreshPackageLists } from '../debian.ts'
import { plainEnvironment, run } from '../process.ts'
import type { State } from '../state.ts'
import type { Part } from './part.ts'
import {
  clearAfterCrash,
  createDataDirectory,
  dataDirectory,
  dataMajor,
  postgresDirectory,
  serverUserCommand,
} from './postgres-data.ts'

export const postgres: Part = {
  name: 'postgres',
  title: 'PostgreSQL',
  // Fast shutdown: sessions are ended and no WAL is left to replay.
  stopSignal: 'SIGINT',
  install,
  prepare,
  probe,
  fill,
  environment: ({ ports, passwords }) => [
    [
      'RINGPROOF_DATABASE_URL',
      `postgres://ringproof_app:${passwords.postgresApp}@127.0.0.1:${ports.postgres}/ringproof`,
    ],
    [
      'RINGPROOF_DATABASE_OWNER_URL',
      `postgres://ringproof_owner:${passwords.postgresOwner}@127.0.0.1:${ports.postgres}/ringproof`,
    ],
  ],
}

const majorMin = 15
const groups = databaseRoles.map(groupOf)
const debianPrograms = '/usr/lib/postgresql'

const configPath = join(postgresDirectory, 'postgresql.conf')
const accessPath = join(postgresDirectory, 'pg_hba.conf')

/** Access with a password, and only from this machine. */
export const postgresAccess = 'host all all 127.0.0.1/32 scram-sha-256\n'

async function install(): Promise<string> {
  let origin = 'is there'
  if ((await programDirectory()) === undefined) {
    await installFromDebian()
    origin = 'from Debian'
  }
  const version = await run([await postgresProgram('postgres'), '--version'])
  return `${/\d+\.\d+/.exec(version)?.[0]} ${origin}`
}

async function prepare(state: State): Promise<string[]> {
  await mkdir(postgresDirectory, { recursive: true })
  await writePublic(configPath, postgresConfig(state.ports.postgres))
  await writePublic(accessPath, postgresAccess)
  const asServerUser = await serverUserCommand(configPath)
  await createDataDirectory(state, await postgresProgram('initdb'), asServerUser)
  await clearAfterCrash()
  const settings = [`config_file=${configPath}`, `hba_file=${accessPath}`].flatMap((setting) => ['-c', setting])
  return [...asServerUser, await postgresProgram('postgres'), '-D', dataDirectory, ...settings]
}

async function probe(state: State): Promise<string> {
  const response = await sql(state, "SELECT current_setting('server_version')")
  return response.split(' ')[0] ?? response
}

// One login for processes and commands, to keep it simple; tests/integration/logins.test.ts has those of production.
async function fill(state: State): Promise<string> {
  await sql(
    state,
    String.raw`
    SELECT format('CREATE ROLE %I', name) FROM unnest('{ringproof_owner,ringproof_app,${groups.join(',')}}'::text[]) AS name
      WHERE name NOT IN (SELECT rolname FROM pg_roles) \gexec
    GRANT ${groups.join(', ')} TO ringproof_app;
    ALTER ROLE ringproof_owner LOGIN CREATEDB PASSWORD '${state.passwords.postgresOwner}';
    ALTER ROLE ringproof_app LOGIN PASSWORD '${state.passwords.postgresApp}';
    SELECT 'CREATE DATABASE ringproof OWNER ringproof_owner'
      WHERE 'ringproof' NOT IN (SELECT datname FROM pg_database) \gexec
    REVOKE ALL ON DATABASE ringproof FROM PUBLIC;
    GRANT CONNECT ON DATABASE ringproof TO ringproof_app;`,
  )
  return 'database ringproof, roles ringproof_owner, ringproof_app and its groups'
}

/** As in production; statements are not logged. */
export function postgresConfig(port: number): string {
  return `# Written anew at every start.

listen_addresses = '127.0.0.1'
port = ${port}
# A socket path is limited to 107 bytes, and a clone's path may be longer.
unix_socket_directories = ''
# Test files run in parallel, each with separate pools.
max_connections = 600

# As in production: crash tests must find what was committed.
fsync = on
synchronous_commit = on
full_page_writes = on

password_encryption = 'scram-sha-256'
timezone = 'UTC'
lc_messages = 'C'

# To standard error, which is .stack/log/postgres.log.
log_destination = 'stderr'
logging_collector = off
log_timezone = 'UTC'
log_line_prefix = '%m [%p] %u@%d '
log_connections = off
# Statements and parameters contain phone numbers; neither may be logged, not even with an error.
log_statement = 'none'
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
log_min_error_statement = panic
log_error_verbosity = terse
`
}

/** The programs of the version that created the data, or the newest one if there is no data. */
async function programDirectory(): Promise<string | undefined> {
  const required = await dataMajor()
  const majors = (await readdir(debianPrograms).catch(() => [])).map(Number).filter((major) => major >= majorMin)
  for (const major of majors.toSorted((a, b) => b - a)) {
    const directory = join(debianPrograms, String(major), 'bin')
    const present: string[] = await readdir(directory).catch(() => [])
    // Debian may have a newer client beside an older server.
    const isWhole = ['postgres', 'initdb', 'psql'].every((name) => present.includes(name))
    if (isWhole && (required === undefined || required === major)) return directory
  }
  return undefined
}

export async function postgresProgram(name: string): Promise<string> {
  const directory = await programDirectory()
  if (directory === undefined) throw new Error(`PostgreSQL ${(await dataMajor()) ?? `${majorMin} or newer`} is missing`)
  return join(directory, name)
}

async function installFromDebian(): Promise<void> {
  const major = await dataMajor()
  const serverPackage = major === undefined ? 'postgresql' : `postgresql-${major}`
  if (process.getuid?.() !== 0) {
    throw new Error(
      `PostgreSQL ${major ?? `${majorMin} or newer`} is missing: install Debian's package ${serverPackage}`,
    )
  }
  await refreshPackageLists()
  // Debian's server package creates and starts a cluster, unless its tools are installed first and configured not to. The
  // setting is temporary, so that later installations by the user are not affected.
  await installPackage('postgresql-common')
  const settingsDirectory = '/etc/postgresql-common/createcluster.d'
  const settingPath = join(settingsDirectory, 'ringproof-stack.conf')
  await mkdir(settingsDirectory, { recursive: true })
  await whileWritten(settingPath, 'create_main_cluster = false\n', () => installPackage(serverPackage))
  if ((await programDirectory()) === undefined)
    throw new Error(`Debian's package ${serverPackage} is not PostgreSQL ${majorMin} or newer`)
}

async function sql(state: State, text: string): Promise<string> {
  const where = ['--host=127.0.0.1', `--port=${state.ports.postgres}`, '--username=postgres', '--dbname=postgres']
  const how = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1', '--no-password']
  const env = { ...plainEnvironment, PGPASSWORD: state.passwords.postgresSuperuser, PGCONNECT_TIMEOUT: '5' }
  return (await run([await postgresProgram('psql'), ...how, ...where], { input: text, env })).trim()
}

/** Runs the work while the file exists; it is deleted afterwards, even if the work fails. */
export async function whileWritten<T>(path: string, text: string, work: () => Promise<T>): Promise<T> {
  try {
    await writePublic(path, text)
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** Writes a file without secrets that other users can read, whatever the umask is. */
async function writePublic(path: string, text: string): Promise<void> {
  await writeFile(path, text)
  await chmod(path, 0o644)
}
