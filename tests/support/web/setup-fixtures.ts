import type { WebOutput } from '@ringproof/contract/web/api.ts'

type Setup = WebOutput<'setup'>
type Step = Setup['steps'][number]

const proxy = good('proxy', 'https://ring.example.org', 'It is served with TLS by a proxy that is trusted.')
const codes = good('codes', 'RU', 'All 10000 codes have a number.')

// One trunk with ten thousand numbers, where the copies are too old and nobody has called yet.
export const almostSetUp: Setup = {
  steps: [
    { step: 'trunk', state: 'done', findings: [good('trunks', 'alfa-msk', 'Node tel1: OPTIONS 200 in 14 ms.')] },
    { step: 'numbers', state: 'done', findings: [codes] },
    { step: 'tariff', state: 'done', findings: [] },
    { step: 'registry', state: 'done', findings: [good('registry', '', 'Version 20261116, 1 day old.')] },
    {
      step: 'tls',
      state: 'attention',
      findings: [
        {
          check: 'certificates',
          subject: 'fullchain.pem',
          level: 'warning',
          cause: 'It expires in 9 days.',
          fix: 'certbot renew',
        },
        proxy,
      ],
    },
    { step: 'messages', state: 'done', findings: [good('mail', 'mail.example.org', 'It accepts our login.')] },
    {
      step: 'backup',
      state: 'open',
      findings: [
        {
          check: 'backup',
          subject: 'main',
          level: 'bad',
          cause: 'The newest backup is 9 days old.',
          fix: 'pgbackrest --stanza=main backup',
        },
      ],
    },
    { step: 'call', state: 'open', findings: [] },
  ],
  trunks: ['alfa-msk'],
  numbers: 10_000,
  tariffs: 1,
}

export const setUp: Setup = {
  ...almostSetUp,
  steps: almostSetUp.steps.map(
    (step): Step => ({
      step: step.step,
      state: 'done',
      findings: step.findings.filter(({ level }) => level === 'good'),
    }),
  ),
}

export const notSetUp: Setup = {
  steps: almostSetUp.steps.map(({ step }): Step => ({ step, state: 'open', findings: [] })),
  trunks: [],
  numbers: 0,
  tariffs: 0,
}

function good(check: string, subject: string, cause: string): Step['findings'][number] {
  return { check, subject, level: 'good', cause, fix: null }
}
