// Limits that API clients read in an error sentence. The server's rules are derived from them.

// Between two calls to one number, from acceptance to acceptance.
export const cooldownSeconds = 15
