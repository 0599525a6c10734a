// The page "Webhooks" for the tests of the pages.

import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { minuteMs } from '../../../server/src/domain/values/time.ts'

const retrySeconds = [2, 5, 15, 30, 60, 120, 300, 600]

export const noWebhooks = { webhooks: [], hasMore: false, hosts: [], services: [], retrySeconds }

// One receiver is down, another is well; a secret is being rotated.
export function webhooksPage(nowMs: number): WebOutput<'webhooks'> {
  const strip = (isBad: boolean) =>
    Array.from({ length: 60 }, (_, n) => ({
      ms: 40 + ((n * 37) % 23) + ((n * 13) % 11) * 3 + (isBad && n === 55 ? 400 : 0),
      isGood: !isBad || (n < 50 && n !== 21 && n !== 22),
    }))
  return {
    webhooks: webhookRows(nowMs),
    hasMore: true,
    hosts: [
      {
        host: 'hooks.example.org',
        webhooks: 114,
        delivered: 104,
        medianMs: 92,
        recent: strip(true),
        failingSince: nowMs - 14 * minuteMs,
        lastStatus: 503,
      },
      {
        host: 'shop.example.org',
        webhooks: 402,
        delivered: 402,
        medianMs: 47,
        recent: strip(false),
        failingSince: null,
        lastStatus: 204,
      },
    ],
    services: [
      {
        id: 1024,
        name: 'My shop',
        isTest: false,
        secretEnd: '9fQ2',
        oldSecretEnd: 'Lm4c',
        oldSecretUntil: nowMs + 20 * 60 * minuteMs,
      },
      { id: 1031, name: 'Delivery app', isTest: false, secretEnd: 'T7k0', oldSecretEnd: null, oldSecretUntil: null },
    ],
    retrySeconds,
  }
}

type WebhookRow = WebOutput<'webhooks'>['webhooks'][number]

function webhookRows(nowMs: number): WebhookRow[] {
  const failed = (endedAt: number, ms: number) => ({
    endedAt,
    ms,
    status: 503,
    failure: '',
    response: '<h1>Service Unavailable</h1>',
  })
  const waiting = (agoSeconds: number, id: number, tries: number): WebhookRow => {
    const calledAt = nowMs - agoSeconds * 1_000
    const times = [0, 2, 7, 22, 52, 112, 232, 532]
    return {
      verificationId: id,
      serviceId: 1024,
      host: 'hooks.example.org',
      state: 'waiting',
      reason: null,
      calledAt,
      nextAt: calledAt + (times[tries] ?? 0) * 1_000,
      numberUntil: calledAt + 30 * minuteMs,
      nth: tries,
      attempts: times.slice(0, tries).map((at, n) => failed(calledAt + at * 1_000 + 210, 208 - n * 4)),
    }
  }
  const ended = (
    agoSeconds: number,
    id: number,
    { host, status, ...more }: { host: string; status: number } & Partial<WebhookRow>,
  ): WebhookRow => {
    const calledAt = nowMs - agoSeconds * 1_000
    const isGood = status < 300
    return {
      verificationId: id,
      serviceId: 1024,
      host,
      state: isGood ? 'delivered' : 'failed',
      reason: isGood ? null : 'gone',
      calledAt,
      nextAt: null,
      numberUntil: null,
      nth: 1,
      attempts: [{ endedAt: calledAt + 50, ms: 46, status, failure: '', response: '' }],
      ...more,
    }
  }
  return [
    waiting(37, 3_605_214_867_201, 4),
    waiting(71, 3_605_214_862_763, 5),
    waiting(390, 3_605_214_820_974, 7),
    ended(466, 3_605_214_811_018, { host: 'shop.example.org', status: 204 }),
    ended(540, 3_605_214_801_324, { host: 'shop.example.org', status: 200 }),
    ended(1_260, 3_605_214_707_004, { host: 'hooks.example.org', status: 200 }),
    ended(1_622, 3_605_214_659_582, { host: 'old.example.org', status: 410, numberUntil: nowMs + 3 * minuteMs }),
    ended(1_890, 3_605_214_624_474, { host: 'shop.example.org', status: 204 }),
  ]
}
