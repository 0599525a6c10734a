import { Client } from 'pg'

export type DatabaseUrls = { readonly RINGPROOF_DATABASE_URL: string; readonly RINGPROOF_DATABASE_OWNER_URL: string }

type Stack = Readonly<Record<string, string | undefined>>

// An empty database of this name on the server of the private stack, with the same logins.
export async function createDatabase(stack: Stack, name: string): Promise<DatabaseUrls> {
  return replaceDatabase(stack, name, '')
}

// Copying files takes a fraction of the time of writing them all to the log.
export async function copyDatabase(stack: Stack, from: string, name: string): Promise<DatabaseUrls> {
  return replaceDatabase(stack, name, `TEMPLATE ${from} STRATEGY FILE_COPY`)
}

export async function hasDatabase(stack: Stack, name: string): Promise<boolean> {
  return asOwner(stack, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    return rowCount === 1
  })
}

async function replaceDatabase(stack: Stack, name: string, from: string): Promise<DatabaseUrls> {
  const { RINGPROOF_DATABASE_URL: app = '', RINGPROOF_DATABASE_OWNER_URL: owner = '' } = stack
  await asOwner(stack, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${name} ${from}`)
    await client.query(`GRANT CONNECT ON DATABASE ${name} TO ringproof_app`)
  })
  return { RINGPROOF_DATABASE_URL: inDatabase(app, name), RINGPROOF_DATABASE_OWNER_URL: inDatabase(owner, name) }
}

async function asOwner<Result>(stack: Stack, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: stack['RINGPROOF_DATABASE_OWNER_URL'] })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function inDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
