// Which database each slot lives in, from the settings for one database and for several.

import { isSameDatabase, parametersOf } from '../../domain/core/database-address.ts'
import { type Slot, slotCount } from '../../domain/core/slot.ts'

type SlotUrls = ReadonlyMap<Slot, string>

// A value is undefined where its setting is empty or could not be read.
type DatabaseValues = {
  readonly url: SlotUrls | undefined
  readonly ownerUrl: SlotUrls | undefined
  readonly shardUrls: SlotUrls | undefined
  readonly shardOwnerUrls: SlotUrls | undefined
  readonly caFile: string | undefined
}

export type Databases = { readonly slotUrls: SlotUrls; readonly slotOwnerUrls: SlotUrls | undefined }

type DatabaseTexts = Readonly<Record<'RINGPROOF_SHARD_URLS' | 'RINGPROOF_SHARD_OWNER_URLS', string>>

// Migrations must reach the same databases as the application: with one of them missing they would still report success.
export function databasesOf(
  values: DatabaseValues,
  texts: DatabaseTexts,
): Partial<Databases> & { readonly mistakes: readonly string[] } {
  const isSharded = texts.RINGPROOF_SHARD_URLS !== ''
  const hasShardOwners = texts.RINGPROOF_SHARD_OWNER_URLS !== ''
  const slotUrls = withCaFile(isSharded ? values.shardUrls : values.url, values.caFile)
  const slotOwnerUrls = withCaFile(hasShardOwners ? values.shardOwnerUrls : values.ownerUrl, values.caFile)
  const differing = [...new Set([...(slotUrls?.keys() ?? []), ...(slotOwnerUrls?.keys() ?? [])])].filter(
    (slot) => slotUrls && slotOwnerUrls && !isSameDatabase(slotUrls.get(slot), slotOwnerUrls.get(slot)),
  )
  const found = { ...(slotUrls ? { slotUrls } : {}), slotOwnerUrls }
  if (differing.length === 0) return { ...found, mistakes: [] }
  const name = hasShardOwners ? 'RINGPROOF_SHARD_OWNER_URLS' : 'RINGPROOF_DATABASE_OWNER_URL'
  const advice = 'RINGPROOF_SHARD_OWNER_URLS takes one for each of RINGPROOF_SHARD_URLS'
  const which = isSharded
    ? `; not so for slots ${differing.map((slot) => (slot < slotCount ? slot : 'spare')).join(', ')}; ${advice}`
    : ''
  return {
    ...found,
    mistakes: [`${name}: host, port and name must be those of the application's database${which}`],
  }
}

// The CA is passed in the URL. A URL that names its own keeps it.
function withCaFile(urls: SlotUrls | undefined, caFile: string | undefined): SlotUrls | undefined {
  if (!urls || caFile === undefined) return urls
  return new Map(
    [...urls].map(([slot, address]) => {
      if (parametersOf(address).has('sslrootcert')) return [slot, address]
      return [slot, `${address}${address.includes('?') ? '&' : '?'}sslrootcert=${encodeURIComponent(caFile)}`]
    }),
  )
}
