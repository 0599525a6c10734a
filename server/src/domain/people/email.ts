export type Email = string & { readonly unit: 'email' }

// Lower case: no mail server in use distinguishes upper from lower case. Undefined: not an address.
export function parseEmail(text: string): Email | undefined {
  const email = text.trim().toLowerCase()
  return /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email) ? (email as Email) : undefined
}
