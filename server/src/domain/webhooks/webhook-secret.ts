// The secret that signs a service's webhooks, in the form that Standard Webhooks gives it.

export const webhookSecretRandomBytes = 32

export function makeWebhookSecret(randomBytes: Uint8Array): string {
  if (randomBytes.length !== webhookSecretRandomBytes) throw new RangeError('a webhook secret is made of 32 bytes')
  return `whsec_${Buffer.from(randomBytes).toString('base64')}`
}
