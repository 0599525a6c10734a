// Limits that API clients read in a sentence. The server's rules are derived from them.

// Between two calls to one number, from acceptance to acceptance.
export const cooldownSeconds = 15

// After the acceptance of a call, a free repeat is possible for so long.
export const repeatMinutes = 5

// Days for which verifications are kept, unless the operator has set RINGPROOF_VERIFICATION_DAYS.
export const verificationDaysDefault = 30
