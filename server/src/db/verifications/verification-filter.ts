// What the filters of verifications mean in their table, and in the counts.

import type { CountedFilter, VerificationFilter } from '../../domain/verifications/verification-filter.ts'
import type { Meanings } from '../core/conditions.ts'

export const inCounts: Meanings<CountedFilter> = {
  serviceId: 'service_id = ?',
  isTest: 'is_test = ?',
  states: 'state = ANY (?::verification_state[])',
  mode: 'mode = ?',
  reason: 'reason = ?',
  country: 'country = ?',
  provider: 'provider = ?',
  trunk: 'trunk = ?',
}

export const inVerifications: Meanings<VerificationFilter> = {
  ...inCounts,
  firstId: 'id >= ?',
  endId: 'id < ?',
  ids: 'id = ANY (?::bigint[])',
  accountId: 'account_id = ?',
  sipStatus: 'sip_status = ?',
  ends: `CASE reason WHEN 'refused' THEN 'refused ' || coalesce(sip_status, 0) ELSE reason END = ANY (?::text[])`,
  provider: `coalesce(phone_info ->> 'mnp', '') = ?`,
  phoneHashes: 'phone_hash = ANY (?::bytea[])',
  clientDigests: 'client_digest = ANY (?::bytea[])',
}
