// Words about virtual phones.

export const phoneActions = ['answer', 'decline', 'busy'] as const
export const phoneStates = ['rings', 'fails', 'answers', 'busy', 'off'] as const
export const phoneFaults = ['late-ring', 'no-ring', 'changed-caller', 'webhook-twice'] as const

// Which caller ID a phone shows when it calls us.
export const phoneCallerIds = ['own', 'withheld', 'changed'] as const
