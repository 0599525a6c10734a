// The Secrets that exist before a release, for one database and for two.

const tls = 'sslmode=verify-full'
const shared = { RINGPROOF_NATS_URL: 'tls://ringproof:x@nats.example.org', RINGPROOF_ARI_PASSWORD: 'x' }

export const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ringproof-settings': {
    ...shared,
    RINGPROOF_DATABASE_URL: `postgres://ringproof_app:x@db.example.org/ringproof?${tls}`,
  },
  'ringproof-owner': {
    RINGPROOF_DATABASE_OWNER_URL: `postgres://ringproof_owner:x@db.example.org/ringproof?${tls}`,
  },
  'ringproof-keys': {},
  'ringproof-files': {},
  shards: { ...shared, RINGPROOF_SHARD_URLS: shardUrls('ringproof_app') },
  'shards-owner': { RINGPROOF_SHARD_OWNER_URLS: shardUrls('ringproof_owner') },
  'shards-keys': {},
}

function shardUrls(login: string): string {
  const urls = ['0-31', '32-63'].map(
    (slots) => `${slots}=postgres://${login}:x@db${slots}.example.org/ringproof?${tls}`,
  )
  return urls.join(' ')
}
