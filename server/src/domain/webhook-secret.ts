// The secret that signs a service's web-hooks, in the form that Standard Webhooks gives it.

export const webhookSecretChanceBytes = 32

export function makeWebhookSecret(chance: Uint8Array): string {
  if (chance.length !== webhookSecretChanceBytes) throw new RangeError('a web-hook secret is made of 32 bytes')
  return `whsec_${Buffer.from(chance).toString('base64')}`
}
