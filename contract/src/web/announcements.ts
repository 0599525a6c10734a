// Announcements: operators post them, every dashboard shows the current ones.

import { Type } from 'typebox'
import { announcementStates, severities } from '../lists/installation.ts'
import { admins, consoleReaders, user } from './access.ts'
import { change, guardedChange, id, object, optionalTime, read, shortId, text, time } from './endpoint.ts'

const severity = Type.Enum([...severities])
const oneLine = text(1, 300)
const banner = {
  id,
  severity,
  text: object({ en: Type.String(), ru: Type.String() }),
  // As planned; null until an operator ends it.
  until: optionalTime,
}

export const announcementEndpoints = {
  // Newest first.
  'current-announcements': read(user, object({ announcements: Type.Array(object(banner)) })),
  announcements: read(
    consoleReaders,
    object({
      announcements: Type.Array(
        object({
          ...banner,
          from: time,
          // By an operator, before its time.
          endedAt: optionalTime,
          // Maintenance that stops all calls until it is ended.
          stopsCalls: Type.Boolean(),
          state: Type.Enum([...announcementStates]),
        }),
      ),
    }),
  ),
  // Every customer reads it.
  'post-announcement': guardedChange(
    admins,
    object({
      severity,
      en: oneLine,
      ru: oneLine,
      // Null: now.
      from: optionalTime,
      until: optionalTime,
      stopsCalls: Type.Boolean(),
    }),
    object({ id }),
  ),
  'end-announcement': change(admins, object({ id: shortId }), object({ isResumed: Type.Boolean() })),
}
