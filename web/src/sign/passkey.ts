import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

// Asks the browser for a passkey. Its library loads with the first press.
export async function askPasskey(options: unknown): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  return await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })
}
