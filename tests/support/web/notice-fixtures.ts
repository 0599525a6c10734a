// Notices for the tests of the pages.

import type { WebOutput } from '@ringproof/contract/web/api.ts'

export const notices: WebOutput<'notices'> = {
  email: 'you@example.org',
  telegram: { isAvailable: true, isOn: true, name: '@my_shop' },
  webhook: { isOn: true, host: 'hooks.example.org' },
  kinds: [
    {
      kind: 'low-balance',
      readers: ['owner', 'accountant'],
      isForRole: true,
      email: true,
      telegram: true,
      webhook: true,
    },
    {
      kind: 'failure-spike',
      readers: ['owner', 'developer'],
      isForRole: true,
      email: true,
      telegram: true,
      webhook: true,
    },
    {
      kind: 'webhook-failing',
      readers: ['owner', 'developer'],
      isForRole: true,
      email: true,
      telegram: false,
      webhook: true,
    },
    {
      kind: 'key-unused',
      readers: ['owner', 'developer'],
      isForRole: true,
      email: false,
      telegram: false,
      webhook: false,
    },
    { kind: 'new-sign-in', readers: [], isForRole: true, email: true, telegram: true, webhook: false },
  ],
}

// For a role that gets few of them, without Telegram and webhook.
export const fewNotices: WebOutput<'notices'> = {
  ...notices,
  telegram: { isAvailable: true, isOn: false, name: '' },
  webhook: { isOn: false, host: '' },
  kinds: notices.kinds.map((one) => ({ ...one, isForRole: one.kind === 'low-balance' || one.kind === 'new-sign-in' })),
}
