// What an action needs to know of a passkey; the protocol itself is checked at the edge.

export type CheckedPasskey = {
  readonly id: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
}

export type CheckPasskey = {
  // The passkey that the response claims to come from.
  readonly id: string
  // The new counter, or undefined if the response is wrong.
  readonly verify: (
    passkey: CheckedPasskey,
    isChallenge: (challenge: string) => Promise<boolean>,
  ) => Promise<number | undefined>
}

export const challengeSeconds = 300
export const passkeysMax = 20
