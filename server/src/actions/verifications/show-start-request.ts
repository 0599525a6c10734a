import { findStartRequest } from '../../db/requests/api-request.ts'
import { slotOfAccount, slotOfVerification, type VerificationId } from '../../domain/core/slot.ts'
import { showApiRequest } from '../requests/show-api-request.ts'

type Arguments = Parameters<typeof showApiRequest>

// The request that started a verification. Undefined if the log has no row: it is kept no longer, or was only counted.
export async function showStartRequest(
  deps: Arguments[0],
  viewer: Arguments[1],
  verificationId: VerificationId,
  publicUrl: string,
): ReturnType<typeof showApiRequest> {
  const slot = slotOfAccount(viewer.accountId)
  if (slotOfVerification(verificationId) !== slot) return undefined
  const id = await findStartRequest(deps.slots.databaseOf(slot), viewer.accountId, verificationId)
  return id === undefined ? undefined : showApiRequest(deps, viewer, id, publicUrl)
}
