// Words about accounts, their services and keys.

export const accountStates = ['active', 'blocked', 'closed'] as const

export const riskSigns = ['refused', 'rarely-rings', 'spends-more', 'new'] as const
export const riskLevels = ['low', 'look', 'high'] as const

export const serviceStates = ['on', 'off', 'archived'] as const

// Why a service may not be used now.
export const serviceObstacles = ['accountBlocked', 'serviceArchived', 'serviceOff', 'phoneNotVerified'] as const

export const keyScopes = ['start', 'read', 'listen'] as const

// What a new customer does first.
export const startSteps = ['key', 'testCall', 'realCall', 'webhook'] as const
