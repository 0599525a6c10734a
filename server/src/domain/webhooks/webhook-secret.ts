// The secret that signs a service's webhooks, in the Standard Webhooks format.

export const webhookSecretRandomBytes = 32

export function makeWebhookSecret(randomBytes: Uint8Array): string {
  if (randomBytes.length !== webhookSecretRandomBytes) throw new RangeError('a webhook secret needs 32 random bytes')
  return `whsec_${Buffer.from(randomBytes).toString('base64')}`
}
