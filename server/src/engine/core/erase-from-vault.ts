// Overwrites sealed numbers in NATS over a short-lived connection, for the operator. The vault's own erase only deletes: the
// sealed bytes stay in a file of NATS until their space is reused. This one has NATS overwrite them.

import { JetStreamApiCodes, JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import type { VaultNumbers } from '../../actions/verifications/personal-data.ts'
import { testVaultName } from '../../domain/verifications/inbound-request.ts'
import { UsageError } from '../../process/errors.ts'
import { connectTo, type NatsServers } from './nats-servers.ts'
import { streamNames } from './streams.ts'

export async function eraseFromVault(
  servers: NatsServers,
  prefix: string,
  { names, repeatableIds, ladderNames }: VaultNumbers,
): Promise<void> {
  if (servers.natsUrls.length === 0) {
    throw new UsageError('RINGPROOF_NATS_URL is empty: NATS may have the number of recent calls. Nothing was erased.')
  }
  const connection = await connectTo(servers, { reconnect: false })
  try {
    const manager = await jetstreamManager(connection)
    const { vaultBucket, repeatBucket, ladderBucket } = streamNames(prefix)
    for (const name of names) if (name !== testVaultName) await overwrite(manager, vaultBucket, name)
    for (const id of repeatableIds) await overwrite(manager, repeatBucket, String(id))
    for (const name of ladderNames) await overwrite(manager, ladderBucket, name)
  } finally {
    await connection.close()
  }
}

// Nothing to do if it is gone, or if there was never an entry.
async function overwrite({ streams }: JetStreamManager, bucket: string, name: string): Promise<void> {
  const stream = `KV_${bucket}`
  const message = await streams
    .getMessage(stream, { last_by_subj: `$KV.${bucket}.${name}` })
    .catch((error: unknown) => {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return null
      throw error
    })
  if (message) await streams.deleteMessage(stream, message.seq, true)
}
