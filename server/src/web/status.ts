// The status for everybody, also for pages of other sites: no name, no count, nothing of a customer.

import type { FastifyInstance } from 'fastify'
import type { ShownStatus } from '../actions/notices/announcements.ts'
import type { Logger } from '../process/log/log.ts'
import { createKeptRead } from './kept-read.ts'

type Deps = {
  readonly showStatus: () => Promise<ShownStatus>
  readonly nowSeconds: () => number
  readonly log: Logger
}

const keptSeconds = 5

export function addStatus(app: FastifyInstance, deps: Deps): void {
  const { showStatus, nowSeconds, log } = deps
  let last: ShownStatus | undefined
  const kept = createKeptRead(keptSeconds, nowSeconds, async () => {
    try {
      last = await showStatus()
    } catch (error) {
      log.warn({ err: error }, 'status not read')
      // Without the database nobody can start a call.
      last = { status: 'outage', announcements: last?.announcements ?? [] }
    }
    return JSON.stringify(publicStatus(last, nowSeconds()))
  })
  app.get('/status.json', async (_, reply) => {
    return reply
      .type('application/json; charset=utf-8')
      .header('access-control-allow-origin', '*')
      .header('cache-control', `public, max-age=${keptSeconds}`)
      .send(await kept.read())
  })
}

function publicStatus({ status, announcements }: ShownStatus, nowSeconds: number) {
  return {
    status,
    updated: new Date(nowSeconds * 1_000).toISOString(),
    announcements: announcements.map(({ severity, en, ru, from, until }) => ({
      severity,
      text: { en, ru },
      from: from.toISOString(),
      until: until?.toISOString() ?? null,
    })),
  }
}
