// From when on a value is a warning, and from when on it is bad.

// A check that takes longer has failed. All run at once, so the whole takes less than ten seconds.
export const checkMsMax = 5_000

// A larger difference between two clocks is logged by every process, too.
export const clockOffsetMsMax = 2_000
// Sessions, one-time codes and certificates are then valid for too long, or not yet.
export const clockOffsetMsBad = 60_000

// The registry is published every day.
export const registryWarningDays = 7
export const registryBadDays = 30

export const certificateWarningDays = 30

// A daily backup that failed once is a warning, a week without one is bad.
export const backupWarningDays = 2
export const backupBadDays = 8

// Shares of a disk.
export const diskFreeWarning = 0.1
export const diskFreeBad = 0.02
