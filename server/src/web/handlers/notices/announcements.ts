// Announcements to all customers. Each change is the action that the operator's command line calls.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import {
  endAnnouncement,
  listAnnouncements,
  postAnnouncement,
  showCurrentAnnouncements,
} from '../../../actions/notices/announcements.ts'
import type { Announcement } from '../../../db/notices/announcement.ts'
import { Denial } from '../../../process/errors.ts'
import { createKeptRead } from '../../kept-read.ts'
import type { WebDeps } from '../core/deps.ts'
import { type Handlers, operatorActor } from '../core/handlers.ts'

const keptSeconds = 3

export function announcementHandlers(deps: WebDeps) {
  const current = createKeptRead(keptSeconds, deps.nowSeconds, async () => ({
    announcements: (await showCurrentAnnouncements(deps)).map(shownBanner),
  }))
  return {
    'current-announcements': current.read,
    announcements: async () => ({ announcements: (await listAnnouncements(deps)).map(shownAnnouncement) }),
    'post-announcement': async (visit, { from, until, ...announcement }) => {
      const command = { ...announcement, from: timeOf(from), until: timeOf(until) }
      const { id } = await postAnnouncement(deps, operatorActor(visit), command)
      current.forget()
      return { id }
    },
    'end-announcement': async (visit, { id }) => {
      const ended = await endAnnouncement(deps, operatorActor(visit), { id })
      if (!ended) throw new Denial('not-found')
      current.forget()
      return { isResumed: ended.isResumed }
    },
  } satisfies Partial<Handlers>
}

function shownBanner({ id, severity, en, ru, until }: Announcement) {
  return { id, severity, text: { en, ru }, until: until?.getTime() ?? null }
}

function shownAnnouncement(one: Announcement): WebOutput<'announcements'>['announcements'][number] {
  const { from, endedAt, stopsCalls, state } = one
  return { ...shownBanner(one), from: from.getTime(), endedAt: endedAt?.getTime() ?? null, stopsCalls, state }
}

function timeOf(ms: number | null): Date | undefined {
  return ms === null ? undefined : new Date(ms)
}
