// Limits that API clients read in a sentence. The server's rules are derived from them.

// Between two calls to one number, from acceptance to acceptance.
export const cooldownSeconds = 15

// After the acceptance of a call, a free repeat is possible for so long.
export const repeatMinutes = 5

// Between the attempts to deliver a webhook.
export const webhookRetrySeconds = [2, 5, 15, 30, 60, 120, 300, 600] as const

// Days for which verifications are kept, unless the operator has set RINGPROOF_VERIFICATION_DAYS.
export const verificationDaysDefault = 30

// Of a verification of /v2: how long it lives at most, how many codes may be checked unless its start says otherwise, and how many a
// page of the list has.
export const ttlSecondsMax = 600
export const checksDefault = 3
export const listLimit = { max: 100, default: 20 } as const
