// The endpoints that are read with GET; everything else is a change with POST. A unit test compares this list with the contract,
// which cannot be imported here: its schemas would enter the bundle.

import type { EndpointName } from '@ringproof/contract/web/api.ts'

export const reads: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'api-errors',
  'api-request',
  'api-requests',
  'balance',
  'installation',
  'invoices',
  'ledger-lines',
  'me',
  'members',
  'notices',
  'operators',
  'overview',
  'payment-settings',
  'phones',
  'security',
  'service-settings',
  'services',
  'start',
  'statistics',
  'verification',
  'verification-counts',
  'verifications',
  'verification-messages',
  'webhooks',
])
