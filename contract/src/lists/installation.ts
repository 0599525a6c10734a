// Words about the installation: what was found, what is set up, and what is announced.

// What the installation is for. Own: a company verifies its own users, in one account, and calls cost nothing. Provider: it sells
// calls to customers.
export const purposes = ['own', 'provider'] as const

// Good: nothing to do. Warning: it works, but a fault elsewhere would cost more. Bad: calls, money or data are at risk now.
export const findingLevels = ['good', 'warning', 'bad'] as const

export const setupSteps = ['trunk', 'numbers', 'tariff', 'registry', 'tls', 'messages', 'backup', 'call'] as const
// Attention: it is done, and something about it could be better.
export const setupStates = ['done', 'attention', 'open'] as const

export const severities = ['info', 'degraded', 'outage', 'maintenance'] as const
// Of an announcement, in the order of the list.
export const announcementStates = ['current', 'planned', 'past'] as const

// Of an attempt to fetch the registry.
export const fetchResults = ['changed', 'unchanged', 'failed'] as const
