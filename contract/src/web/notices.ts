// Notices: what we write to a person unasked, and over which channels.

import { Type } from 'typebox'
import { noticeChannels, noticeKinds } from '../lists/people.ts'
import { builders, memberRoles, readers } from './access.ts'
import { change, guardedChange, object, read, text } from './endpoint.ts'

const kind = Type.Enum([...noticeKinds])
const channel = Type.Enum([...noticeChannels])

export const noticeEndpoints = {
  // Of the person who asks, in the account that is shown.
  notices: read(
    readers,
    object({
      email: Type.String(),
      telegram: object({ isAvailable: Type.Boolean(), isOn: Type.Boolean(), name: Type.String() }),
      // Of the account. Only the host of its URL is shown.
      webhook: object({ isOn: Type.Boolean(), host: Type.String() }),
      kinds: Type.Array(
        object({
          kind,
          readers: Type.Array(Type.Enum([...memberRoles])),
          // Whether the person's role is one of them.
          isForRole: Type.Boolean(),
          email: Type.Boolean(),
          telegram: Type.Boolean(),
          webhook: Type.Boolean(),
        }),
      ),
    }),
  ),
  // Of the person; the webhook is set for the account, by who builds with it.
  'set-notice': change(readers, object({ kind, channel, isOn: Type.Boolean() })),
  // Replaces the account's receiver and returns its new secret, shown once. An empty URL removes it.
  'set-notice-webhook': guardedChange(builders, object({ url: text(0, 2_048) }), object({ secret: Type.String() })),
  // Sends a message to the person, or to the receiver, now.
  'test-notice': change(readers, object({ channel })),
}
