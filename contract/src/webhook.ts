// The webhook of an inbound verification: the body that is posted to callback_url, and the headers that sign it.

import { type Static, type TSchema, Type } from 'typebox'

export const InboundCall = Type.Object(
  {
    callId: Type.String({ description: 'The `vendor_id` of the verification, as text.' }),
    callbackLink: Type.String({ description: 'The `callback_url` of the request.' }),
    clientNumber: Type.String({ description: 'The verified number: digits with the country code, without a plus.' }),
    confirmationNumber: Type.String({ description: 'The number that the user called.' }),
    isMnp: Type.Boolean({ description: 'Whether the number was ported to another provider.' }),
    operatorName: Type.String({
      description: 'Provider in the numbering registry. Empty unless `isMnp` is true.',
    }),
    operatorNameMnp: Type.String({
      description: 'Provider that the number was ported to. Empty unless `isMnp` is true.',
    }),
    regionName: Type.String({ description: 'Region in the numbering registry. Empty if unknown.' }),
  },
  { additionalProperties: false, description: 'The call of the user that verified the number.' },
)
export type InboundCall = Static<typeof InboundCall>

// Standard Webhooks.
export const webhookHeaders: Readonly<Record<string, TSchema>> = {
  'webhook-id': Type.String({
    description: 'Identifies the webhook. Every retry has the same one, so use it to detect duplicates.',
  }),
  'webhook-timestamp': Type.String({
    pattern: '^[0-9]+$',
    description: 'When this attempt was sent, Unix time in seconds. Reject it if it is older than five minutes.',
  }),
  'webhook-signature': Type.String({
    description:
      'HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` with the secret of the service, as `v1,` and base64. Two of them, separated by a space, while the secret is rotated.',
  }),
}
