// A ladder: one proof of one phone over several calls with one code. The verification of the Verify API is a ladder.
//
//   pending    It lives. At most one of its calls is being dialled; an inbound one may wait beside.
//   approved   A right code, or the subscriber's call. Final.
//   failed     Its checks are used up, no call can have delivered the code, or the number does not exist. Final.
//   expired    Its time is over. Final.
//   cancelled  By the customer. Final.
//
//   pending  — right code, while checks are left and a call was dialled →      approved
//   pending  — the subscriber's call →                                         approved
//   pending  — wrong code, checks left after it →                              pending
//   pending  — the last wrong code →                                           failed
//   pending  — the newest call failed, a mode is left →                        next call, at once
//   pending  — the newest call failed, no mode left, nothing delivered →       failed
//   pending  — the newest call reached the phone, the silence is over →        next call
//   pending  — somebody asks →                                                 next call
//   pending  — cancel →                                                        cancelled
//   pending  — its time is over →                                              expired
//
// A final state never changes: what comes late changes nothing, and no call is dialled after it. The SQL functions accept_ladders,
// accept_rung, check_ladder and those of step-ladders.sql are what runs.

import { dayMs } from '../values/time.ts'

// From the start; it is never extended.
const ladderTimeMaxMs = 600_000

export const ladderCallsMax = 6

// With less time left no call starts: nobody could type its code.
export const ladderLastCallMs = 30_000

// Wrong codes for one number and account in a day. Four digits carry little: the limits carry the rest.
export const guessesPerDay = 10

// Codes of a ladder may be checked until its end: it counts for so much longer than a day.
export const guessWindowMs = dayMs + ladderTimeMaxMs
