// Twenty changes that somebody asks for. Each is started and left half done by `edits`; then `found` must turn red and say `says`.
// `touches` are the files that the whole change edits by hand, generated ones apart, and folders in which it adds or edits files;
// `before` is how many files it took when lists, roles and periods were written in several places.

type Edit = readonly [path: string, find: string, by: string]

export type ChangeRequest = {
  readonly title: string
  readonly edits: readonly Edit[]
  // `lint` stands for linter and types; it runs once for all of them.
  readonly found: 'lint' | `tests/${string}.test.ts`
  readonly says: readonly string[]
  readonly before: number
  readonly touches: readonly string[]
}

const generated = 'tests/unit/generated.test.ts'
const roleTexts = ['web/src/words/en.ts', 'web/src/words/ru.ts', 'web/src/words/roles.ts']

export const changeRequests: readonly ChangeRequest[] = [
  {
    title: 'the cooldown is twenty seconds',
    edits: [['contract/src/limits.ts', 'cooldownSeconds = 15', 'cooldownSeconds = 20']],
    found: generated,
    says: ['server/src/db/functions/rules.sql', 'docs/reference/errors.md'],
    before: 1,
    touches: ['contract/src/limits.ts'],
  },
  {
    title: 'getInfo returns the time of the charge',
    edits: [
      [
        'contract/src/responses.ts',
        "    init_time: time('When the verification was started'),\n    call_status",
        "    init_time: time('When the verification was started'),\n    charge_time: time('When it was charged'),\n    call_status",
      ],
    ],
    found: 'lint',
    says: ['server/src/actions/verifications/get-info.ts', 'charge_time'],
    before: 4,
    touches: [
      'contract/src/responses.ts',
      'contract/src/descriptions-ru.ts',
      'contract/src/examples.ts',
      'server/src/actions/verifications/get-info.ts',
    ],
  },
  {
    title: 'a trunk has one more option',
    edits: [
      [
        'contract/src/lists/trunk-options.ts',
        '  ringSeconds: {\n',
        "  talkSeconds: {\n    kind: 'whole',\n    min: 1,\n    max: 60,\n    default: 20,\n    column: 'talk_seconds',\n    form: 'connection',\n    readBy: ['asterisk'],\n    help: 'longest call in seconds',\n  },\n  ringSeconds: {\n",
      ],
    ],
    found: 'lint',
    says: ['web/src/console/trunks/words.en.ts', 'talkSeconds'],
    before: 12,
    touches: [
      'contract/src/lists/trunk-options.ts',
      'server/src/db/migrations',
      'web/src/console/trunks/words.en.ts',
      'web/src/console/trunks/words.ru.ts',
      'server/src/telephony/asterisk',
    ],
  },
  {
    title: 'members can be auditors',
    edits: [
      [
        'contract/src/web/access.ts',
        "'pay'],\n  viewer: ['read'],\n",
        "'pay'],\n  viewer: ['read'],\n  auditor: [],\n",
      ],
    ],
    found: 'lint',
    says: ['web/src/words/en.ts', 'web/src/words/roles.ts', 'server/src/mail/letters.ts', 'tests/unit/access.test.ts'],
    before: 9,
    touches: ['contract/src/web/access.ts', ...roleTexts, 'server/src/mail/letters.ts', 'server/src/db/migrations'],
  },
  {
    title: 'webhooks are tried for longer',
    edits: [['contract/src/limits.ts', '300, 600] as const', '300, 900] as const']],
    found: generated,
    says: ['docs/guides/webhooks.md', 'docs/guides/ru/webhooks.md'],
    before: 3,
    touches: ['contract/src/limits.ts'],
  },
  {
    title: 'pages speak German, too',
    edits: [['contract/src/lists/people.ts', "languages = ['en', 'ru']", "languages = ['en', 'ru', 'de']"]],
    found: 'lint',
    says: ['web/src/words/words.ts', 'server/src/mail/letters.ts', 'contract/src/errors.ts'],
    before: 57,
    touches: ['contract/src/lists/people.ts', 'web/src/words', 'server/src/mail', 'server/src/db/migrations'],
  },
  {
    title: 'one more metric',
    edits: [
      [
        'server/src/process/metrics/events.ts',
        '  const unavailable = new Counter({\n',
        "  new Counter({ name: 'ringproof_seeded_total', help: 'Seeded.', registers: [registry] })\n  const unavailable = new Counter({\n",
      ],
    ],
    found: 'tests/unit/metrics-page.test.ts',
    says: ['ringproof_seeded_total'],
    before: 3,
    touches: ['server/src/process/metrics/events.ts', 'docs/operations/metrics.md'],
  },
  {
    title: 'an API log of thirty days',
    edits: [['server/src/domain/values/retention.ts', 'apiRequests: { kept: days(7)', 'apiRequests: { kept: days(30)']],
    found: generated,
    says: ['server/src/db/functions/rules.sql', 'web/src/words/kept.ts', 'docs/operations/privacy.md'],
    before: 5,
    touches: ['server/src/domain/values/retention.ts'],
  },
  {
    title: 'one more fraud rule with a limit',
    edits: [
      [
        'contract/src/lists/protection.ts',
        "'prefix-cap-all', 'breaker']",
        "'prefix-cap-all', 'breaker', 'country-cap']",
      ],
    ],
    found: 'lint',
    says: ['web/src/console/protection/Rules.tsx', 'server/src/domain/protection/fraud-limits.ts'],
    before: 12,
    touches: [
      'contract/src/lists/protection.ts',
      'server/src/domain/protection/fraud-limits.ts',
      'server/src/domain/protection/replay-rule.ts',
      'server/src/db/functions',
      'contract/src/errors.ts',
      'web/src/console/protection/words.en.ts',
      'web/src/console/protection/words.ru.ts',
    ],
  },
  {
    title: 'prices in euros',
    edits: [['web/src/words/en.ts', "  test: 'TEST',", "  test: 'TEST',\n  price: (amount: string) => `€${amount}`,"]],
    found: 'tests/architecture/architecture.test.ts',
    says: ['web/src/words/en.ts', 'the currency is a setting'],
    before: 132,
    touches: ['server/config.default.env'],
  },
  {
    title: 'notices in a chat',
    edits: [
      [
        'contract/src/lists/people.ts',
        "noticeChannels = ['email', 'telegram', 'webhook']",
        "noticeChannels = ['email', 'telegram', 'webhook', 'chat']",
      ],
    ],
    found: 'lint',
    says: ['web/src/dashboard/notices/Notices.tsx', 'server/src/actions/notices/notices.ts'],
    before: 10,
    touches: [
      'contract/src/lists/people.ts',
      'server/src/actions/notices',
      'server/src/db/migrations',
      'web/src/dashboard/notices',
    ],
  },
  {
    title: 'one more screen of the console',
    edits: [
      [
        'contract/src/web/wallboard.ts',
        'export const wallboardEndpoints = {\n',
        'export const wallboardEndpoints = {\n  incidents: read(consoleReaders, object({ at: time })),\n',
      ],
    ],
    found: 'lint',
    says: ['server/src/web/handlers/all.ts', 'incidents'],
    before: 12,
    touches: [
      'contract/src/web/wallboard.ts',
      'server/src/web/handlers/installation/wallboard.ts',
      'web/src/routes.tsx',
      'web/src/shell/places.ts',
      'web/src/words/words.ts',
      'web/src/words/en.ts',
      'web/src/words/ru.ts',
      'web/src/console',
    ],
  },
  {
    title: 'a webhook says how long the phone rang',
    edits: [
      [
        'contract/src/webhook.ts',
        '    regionName: Type.String(',
        "    ringSeconds: Type.Integer({ description: 'How long it rang.' }),\n    regionName: Type.String(",
      ],
    ],
    found: 'lint',
    says: ['server/src/domain/webhooks/webhook.ts', 'ringSeconds'],
    before: 5,
    touches: [
      'contract/src/webhook.ts',
      'contract/src/descriptions-ru.ts',
      'contract/src/examples.ts',
      'server/src/domain/webhooks/webhook.ts',
    ],
  },
  {
    title: 'one more setting',
    edits: [
      [
        'server/src/process/config/config.ts',
        "  apiLog: setting('RINGPROOF_API_LOG'",
        "  seeded: setting('RINGPROOF_SEEDED', word('on', 'off')),\n  apiLog: setting('RINGPROOF_API_LOG'",
      ],
    ],
    found: 'tests/unit/config.test.ts',
    says: ['RINGPROOF_SEEDED'],
    before: 4,
    touches: ['server/src/process/config/config.ts', 'server/config.default.env'],
  },
  {
    title: 'doctor examines one more thing',
    edits: [
      [
        'server/src/domain/installation/checks.ts',
        '  currency: {\n',
        "  seeded: { examines: 'what was seeded', warns: never, fails: never },\n  currency: {\n",
      ],
    ],
    found: 'tests/unit/installation.test.ts',
    says: ['what was seeded'],
    before: 4,
    touches: [
      'server/src/domain/installation/checks.ts',
      'server/src/actions/installation',
      'docs/operations/doctor.md',
    ],
  },
  {
    title: 'an error says more',
    edits: [
      [
        'contract/src/errors.ts',
        'The parameter {parameter} is missing.',
        'The required parameter {parameter} is missing.',
      ],
    ],
    found: generated,
    says: ['docs/reference/errors.md'],
    before: 1,
    touches: ['contract/src/errors.ts'],
  },
  {
    title: 'passwords of fourteen characters',
    edits: [['web/src/words/en.ts', '${passwordLengthMin} characters', '14 characters']],
    found: 'lint',
    says: ['web/src/words/en.ts', 'passwordLengthMin'],
    before: 3,
    touches: ['contract/src/lists/people.ts'],
  },
  {
    title: 'one more column in the files of verifications',
    edits: [
      [
        'server/src/domain/verifications/shown-call.ts',
        "  provider: 'provider',\n",
        "  provider: 'provider',\n  city: 'city',\n",
      ],
    ],
    found: 'lint',
    says: ['server/src/domain/verifications/shown-call.ts', 'city'],
    before: 3,
    touches: ['server/src/domain/verifications/shown-call.ts', 'contract/src/web/verifications.ts'],
  },
  {
    title: 'the command line finds the verifications of a provider',
    edits: [
      [
        'server/src/cli/verifications/verifications.ts',
        "    mode: parseOneOf('--mode', verificationModes, options.mode),",
        "    mode: parseOneOf('--mode', verificationModes, options.mode),\n    provider: options.provider,",
      ],
    ],
    found: 'lint',
    says: ['server/src/cli/verifications/verifications.ts', 'provider'],
    before: 2,
    touches: ['server/src/cli/verifications/verifications.ts'],
  },
  {
    title: 'the dashboard filters by SIP status',
    edits: [
      [
        'contract/src/web/verifications.ts',
        'export const countedFilters = { ...commonFilters,',
        "export const countedFilters = { ...commonFilters, sipStatus: Type.Optional(Type.String({ pattern: '^[3-6][0-9]{2}$' })),",
      ],
    ],
    found: 'lint',
    says: ['server/src/web/handlers/verifications/verification-filter.ts', 'sipStatus'],
    before: 5,
    touches: [
      'contract/src/web/verifications.ts',
      'server/src/web/handlers/verifications/verification-filter.ts',
      'server/src/domain/verifications/verification-filter.ts',
      'server/src/db/verifications/verification-filter.ts',
      'web/src/dashboard/verifications/filters.ts',
    ],
  },
]
