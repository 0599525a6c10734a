// Notices of the person who asks, and of the account that is shown.

import { setNotice, setNoticeWebhook, showNotices, testNotice } from '../../../actions/notices/notices.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, actorOf, type Handlers, visitorOf } from '../core/handlers.ts'

export function noticeHandlers(deps: WebDeps) {
  const { hasTelegram } = deps.about
  return {
    notices: async (visit) => {
      const { slots, recordKeys } = deps
      return showNotices({ slots, recordKeys, hasTelegram }, visitorOf(visit))
    },
    'set-notice': async (visit, input) => setNotice(deps, visitorOf(visit), input),
    'set-notice-webhook': async (visit, { url }) => ({
      secret: await setNoticeWebhook(deps, actorOf(visit), accountOf(visit), url),
    }),
    'test-notice': async (visit, { channel }) => testNotice(deps, visitorOf(visit), channel),
  } satisfies Partial<Handlers>
}
