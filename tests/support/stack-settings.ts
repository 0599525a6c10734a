// The environment that `npm test` takes from the private stack.
export function stackSetting(
  name: 'RINGPROOF_DATABASE_URL' | 'RINGPROOF_DATABASE_OWNER_URL' | 'RINGPROOF_NATS_URL',
): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run these tests by \`npm test\``)
  return value
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
