// Notices of the person who asks, and of the account that is shown.

import { setNotice, setNoticeWebhook, showNotices, testNotice } from '../../../actions/notices/notices.ts'
import { actorOf } from '../accounts/own-service.ts'
import type { WebDeps } from '../core/deps.ts'
import { accountOf, type HandlersOf, visitorOf } from '../core/handlers.ts'

type Names = 'notices' | 'set-notice' | 'set-notice-webhook' | 'test-notice'

export function noticeHandlers(deps: WebDeps): HandlersOf<Names> {
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
  }
}
