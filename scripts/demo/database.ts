import { Client } from 'pg'

type Urls = { readonly RINGPROOF_DATABASE_URL: string; readonly RINGPROOF_DATABASE_OWNER_URL: string }

// An empty database of this name on the server of the private stack, with the same logins.
export async function recreateDatabase(stack: Readonly<Record<string, string>>, name: string): Promise<Urls> {
  const { RINGPROOF_DATABASE_URL: app = '', RINGPROOF_DATABASE_OWNER_URL: owner = '' } = stack
  const client = new Client({ connectionString: owner })
  await client.connect()
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${name}`)
    await client.query(`GRANT CONNECT ON DATABASE ${name} TO ringproof_app`)
  } finally {
    await client.end()
  }
  return { RINGPROOF_DATABASE_URL: inDatabase(app, name), RINGPROOF_DATABASE_OWNER_URL: inDatabase(owner, name) }
}

function inDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
