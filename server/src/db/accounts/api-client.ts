import { type ApiClient, type KnownApiClient, type KnownKey, nobodysKey } from '../../domain/accounts/api-client.ts'
import type { ServiceId } from '../../domain/core/slot.ts'
import type { Session } from '../core/database.ts'

export async function readApiClients(
  session: Session,
  serviceIds: readonly ServiceId[],
): Promise<readonly KnownApiClient[]> {
  const { rows } = await session.query<ApiClient>(
    `SELECT s.id AS "serviceId", s.account_id AS "accountId", s.state, s.is_test AS "isTest", a.blocked_at IS NOT NULL AS "accountBlocked",
            a.must_verify_phone AS "mustVerifyPhone", s.addresses, s.status_style AS "statusStyle",
            s.id_alias AS "idAlias", s.repeats, s.plain_http AS "plainHttp", s.requests_per_second AS "requestsPerSecond",
            a.tariff, s.geography, s.modes, s.test_numbers AS "testNumbers", s.language,
            s.calls_per_number_10_minutes AS "calls10Minutes", s.calls_per_number_day AS "callsDay",
            s.inbound_seconds AS "inboundSeconds",
            s.verifications_hour_max AS "hourMax", s.verifications_day_max AS "dayMax", s.spend_day_max AS "spendMax",
            s.prefix_hour_max AS "prefixHourMax", s.quiet_hours AS "quietHours", s.time_zone AS "timeZone",
            s.provider_modes AS "providerModes"
     FROM services AS s JOIN accounts AS a ON a.id = s.account_id
     WHERE s.id = ANY ($1)`,
    [serviceIds],
  )
  const { rows: keys } = await session.query<KnownKey>(
    `SELECT service_id AS "serviceId", digest, scopes,
            (extract(epoch FROM valid_until - clock_timestamp()) * 1000)::float8 AS "validMs"
     FROM api_keys WHERE service_id = ANY ($1)`,
    [serviceIds],
  )
  const apiClients = new Map(rows.map((apiClient) => [apiClient.serviceId, apiClient]))
  // Copied, so that they share V8's hidden class with nobodysKey and comparing either takes the same time.
  const known = keys.map(({ serviceId, digest, scopes, validMs }) => ({ serviceId, digest, scopes, validMs }))
  const keysOf = Map.groupBy(known, ({ serviceId }) => serviceId)
  return serviceIds.map((id) => ({ apiClient: apiClients.get(id), keys: keysOf.get(id) ?? [nobodysKey(id)] }))
}
