// Plain values of the number check, for the pages: the schemas beside them do not enter the bundle.

// Of a list, and of one request that checks a part of it.
export const listMax = 1_000
export const batchMax = 30
// A longer text is not a number.
export const textMax = 64

// A list of caller numbers that is imported: twenty thousand ranges.
export const importBytesMax = 500_000
