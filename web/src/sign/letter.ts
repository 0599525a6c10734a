// The letter that the next page speaks of. In memory, because an e-mail does not belong in an address.

type Letter = { readonly email: string; readonly kind: 'sign-up' | 'reset' }

let letter: Letter | undefined

export function rememberLetter(next: Letter): void {
  letter = next
}

export function lastLetter(): Letter | undefined {
  return letter
}
