// Words about people: their languages, how they prove who they are, and what we write to them.

export const languages = ['en', 'ru'] as const
export type Language = (typeof languages)[number]

// A code that is typed as the second step.
export const typedFactors = ['totp', 'telegram', 'recovery'] as const
export const factorKinds = [...typedFactors, 'passkey'] as const
// What opens the guarded changes.
export const confirmationKinds = [...typedFactors, 'password'] as const

export const noticeKinds = ['low-balance', 'failure-spike', 'webhook-failing', 'key-unused', 'new-sign-in'] as const
export const noticeChannels = ['email', 'telegram', 'webhook'] as const

export const passwordLengthMin = 12

export const themes = ['system', 'light', 'dark'] as const
