// Announcements: an outage that customers see now, planned maintenance, and three that are over.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { hourMs } from '../../../server/src/domain/values/time.ts'

const outage = {
  id: 7,
  severity: 'outage',
  text: {
    en: 'Calls to some Russian providers do not ring. We are moving them to another carrier.',
    ru: 'Звонки на номера части операторов не доходят. Переводим их на другого поставщика.',
  },
} as const

export function announcementAnswers(nowMs: number): {
  readonly announcements: WebOutput<'announcements'>
  readonly 'current-announcements': WebOutput<'current-announcements'>
} {
  const plain = { endedAt: null, stopsCalls: false, until: null }
  return {
    announcements: {
      announcements: [
        { ...plain, ...outage, from: nowMs - 0.4 * hourMs, state: 'current' },
        {
          ...plain,
          id: 8,
          severity: 'maintenance',
          text: {
            en: 'Database upgrade: calls may fail for some minutes.',
            ru: 'Обновление базы: несколько минут звонки могут не проходить.',
          },
          from: nowMs + 40 * hourMs,
          until: nowMs + 41 * hourMs,
          state: 'planned',
        },
        {
          id: 6,
          severity: 'maintenance',
          text: { en: 'We are moving to new servers.', ru: 'Переезжаем на новые серверы.' },
          from: nowMs - 200 * hourMs,
          until: nowMs - 199 * hourMs,
          endedAt: nowMs - 198.5 * hourMs,
          stopsCalls: true,
          state: 'past',
        },
        {
          ...plain,
          id: 5,
          severity: 'info',
          text: { en: 'Prices for Kazakhstan change on Monday.', ru: 'В понедельник меняются цены на Казахстан.' },
          from: nowMs - 400 * hourMs,
          until: nowMs - 300 * hourMs,
          state: 'past',
        },
        {
          ...plain,
          id: 4,
          severity: 'degraded',
          text: { en: 'Webhooks arrive late.', ru: 'Вебхуки приходят с задержкой.' },
          from: nowMs - 500 * hourMs,
          endedAt: nowMs - 499 * hourMs,
          state: 'past',
        },
      ],
    },
    'current-announcements': { announcements: [] },
  }
}

export function announcedOutage(): WebOutput<'current-announcements'> {
  return { announcements: [{ ...outage, until: null }] }
}
