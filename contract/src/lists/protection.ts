// The fraud rules, and the levels of those with a limit.

export const limitedRules = ['prefix-cap', 'prefix-cap-all', 'breaker'] as const

// Those with a limit come first.
export const fraudRules = [...limitedRules, 'opt-out', 'service-cap', 'quiet-hours', 'kill-switch'] as const

export const protectionLevels = ['basic', 'standard', 'max'] as const
