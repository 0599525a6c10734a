// Lengths of time. web/src/time.ts is the same for the pages, which import nothing from the server.

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const weekMs = 7 * dayMs

export const hourSeconds = hourMs / 1_000
export const daySeconds = dayMs / 1_000
