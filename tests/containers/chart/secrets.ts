// The Secrets that exist before a release, for one database and for two.

import { loginOf, loginOfCli, type ProcessRole } from '../../../server/src/domain/core/database-role.ts'

const tls = 'sslmode=verify-full'
const shared = { RINGPROOF_NATS_URL: 'tls://ringproof:x@nats.example.org', RINGPROOF_ARI_PASSWORD: 'x' }

// The login of each kind of pod.
const roles: Readonly<Record<string, readonly ProcessRole[]>> = {
  api: ['api', 'web'],
  webhooks: ['webhooks'],
  keeper: ['keeper'],
  node: ['calls'],
}
const logins = [...Object.entries(roles).map(([pod, of]) => [pod, loginOf(of)] as const), ['cli', loginOfCli] as const]

export const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ringproof-settings': shared,
  ...Object.fromEntries(
    logins.map(([pod, login]) => [
      `ringproof-database-${pod}`,
      { RINGPROOF_DATABASE_URL: `postgres://${login}:x@db.example.org/ringproof?${tls}` },
    ]),
  ),
  'ringproof-owner': {
    RINGPROOF_DATABASE_OWNER_URL: `postgres://ringproof_owner:x@db.example.org/ringproof?${tls}`,
  },
  'ringproof-keys': {},
  'ringproof-files': {},
  ...Object.fromEntries(logins.map(([pod, login]) => [`shards-${pod}`, { RINGPROOF_SHARD_URLS: shardUrls(login) }])),
  'shards-owner': { RINGPROOF_SHARD_OWNER_URLS: shardUrls('ringproof_owner') },
  'shards-keys': {},
}

function shardUrls(login: string): string {
  const urls = ['0-31', '32-63'].map(
    (slots) => `${slots}=postgres://${login}:x@db${slots}.example.org/ringproof?${tls}`,
  )
  return urls.join(' ')
}
