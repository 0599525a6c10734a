// What operators find out about calls and money by CLI: lists, searches, statements and statistics, over one database and
// over two.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slotOfAccount } from '../../server/src/domain/core/slot.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { type Cli, createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones, prices, settled } from '../support/process/phones.ts'
import { type Installation, makeService, serve, type TestService } from '../support/process/server.ts'

type Listed = Readonly<Record<string, unknown>> & { readonly vendor_id: number; readonly service_id: number }
type Page = { readonly verifications: readonly Listed[]; readonly next_before: number | null }
type Entry = Readonly<Record<string, unknown>> & { readonly entry_id: number; readonly move: string }
type Ledger = { readonly entries: readonly Entry[]; readonly next_before: number | null }

const [overOne, overTwo] = await Promise.all([makeCalls(1), makeCalls(2)])
const callsOf = { 1: overOne, 2: overTwo } as const

for (const shards of [1, 2] as const) {
  const databases = shards === 1 ? 'one database' : 'two databases'
  const calls = callsOf[shards]

  test(`verifications are found by every filter and paged by ID, over ${databases}`, async () => {
    const { cli, own, other, phone, base, ids } = calls
    const list = (...args: string[]) => cli.json<Page>('verifications', 'list', ...args)
    const found = async (...args: string[]) => (await list(...args)).verifications.map(({ vendor_id: id }) => id)
    const all = ids.toSorted((a, b) => b - a)
    assert.deepEqual(await list().then((page) => [page.verifications.length, page.next_before]), [ids.length, null])
    assert.deepEqual(await found(), all)
    const [rang, absent, failedOver, tested, , others] = ids
    const ofOwn = all.filter((id) => id !== others)
    assert.deepEqual(await found('--service', String(own.serviceId)), ofOwn)
    assert.deepEqual(await found('--account', String(other.accountId)), [others])
    assert.deepEqual(await found('--phone', phone), [rang])
    assert.deepEqual(await found('--phone', `+${phone}`, '--account', String(own.accountId)), [rang])
    assert.deepEqual(await found('--phone', phone, '--account', String(other.accountId)), [])
    assert.deepEqual(
      await found('--unique', 'order 1'),
      [rang, others].toSorted((a, b) => Number(b) - Number(a)),
    )
    assert.deepEqual(await found('--unique', 'order 1', '--service', String(own.serviceId)), [rang])
    assert.deepEqual(await found('--unique', 'order 1', '--since', '1h', '--until', '30m'), [])
    assert.deepEqual(await found('--client', 'Anna, "=1+1"'), [rang])
    assert.deepEqual(await found('--client', 'Anna'), [])
    assert.deepEqual(await found('--state', 'failed', '--mode', 'flash'), [failedOver, absent].toSorted(descending))
    assert.deepEqual(await found('--mode', 'inbound', '--state', 'accepted'), [ids[4]])
    assert.deepEqual(await found('--until', '2026-01-02', '--since', '2026-01-01'), [])
    assert(await found('--until', new Date().toISOString().slice(0, 10)).then((one) => one.includes(Number(tested))))

    // Pages are complete and do not overlap, with and without decryption.
    for (const filter of [[], ['--client', 'no one']]) {
      const pages: number[] = []
      for (let before: number | null = 2 ** 53 - 1; before !== null; ) {
        const page: Page = await list('--limit', '2', '--before', String(before), ...filter)
        assert(page.verifications.length <= 2)
        pages.push(...page.verifications.map(({ vendor_id: id }) => id))
        before = page.next_before
      }
      assert.deepEqual(pages, filter.length === 0 ? all : [])
    }
    const shown = (await list('--unique', 'order 1', '--service', String(own.serviceId))).verifications[0]
    const info = await cli.json<Listed>('verifications', 'show', String(rang))
    assert.deepEqual({ ...info, ...shown }, info, 'a row of the list has the fields of `show`')
    assert.deepEqual(
      ['state', 'reason', 'trunk', 'attempt', 'price', 'charged', 'phone'].map((name) => shown?.[name]),
      ['succeeded', 'rang', 'first', 1, 0.4, 0.4, `${phone.slice(0, 4)}***${phone.slice(-4)}`],
    )
    assert.equal((await settled(base, own, rang))['client'], 'Anna, "=1+1"', 'the customer still reads it')
  })

  test(`lists print a table, JSON or CSV, and no number, code or client, over ${databases}`, async () => {
    const { cli, phone, base, own, ids } = calls
    const text = await cli.run('verifications', 'list', '--limit', '3')
    assert.match(text.out, /^ID +ACCEPTED +SERVICE +MODE +STATE +PHONE/)
    assert.equal(text.out.trimEnd().split('\n').length, 4)
    assert.match(text.err, /^The next page: --before \d+\n$/)
    const csv = (await cli.run('verifications', 'list', '--csv')).out.trimEnd().split('\n')
    assert.match(csv[0] ?? '', /^vendor_id,accepted,account_id,account,service_id,mode,status,state,/)
    assert.equal(csv.length, ids.length + 1)
    assert(csv.every((line) => line.split(',').length === csv[0]?.split(',').length))
    const code = String((await settled(base, own, ids[0]))['code'])
    const json = JSON.stringify(await cli.json<Page>('verifications', 'list'))
    const row = csv.find((line) => line.startsWith(String(ids[0]))) ?? ''
    const fields = row.split(',')
    // The caller number ends with the code, as the phone showed it; no other field has it.
    assert.deepEqual(
      fields.filter((field) => field === code),
      [],
    )
    for (const output of [text.out, csv.join('\n'), json]) {
      assert(!output.includes(phone) && !output.includes('Anna'), output)
    }
    for (const [args, sentence] of [
      [['--state', 'made'], /--state takes one of accepted, dialling, succeeded, failed, not "made"/],
      [['--mode', 'sms'], /--mode takes one of/],
      [['--limit', '0'], /--limit takes a whole number from 1 to 10000/],
      [['--since', 'yesterday'], /--since takes a duration such as 24h, a date such as 2026-11-16 or a time/],
      [['--since', '2026-13-01'], /--since takes/],
      [['--since', '1h', '--until', '2h'], /--since 1h is not before --until 2h/],
      [['--phone', '8 900'], /--phone takes 7 to 15 digits/],
      [['--json', '--csv'], /cannot be used with option/],
    ] as const) {
      const said = await cli.run('verifications', 'list', ...args)
      assert.equal(said.status, 1, args.join(' '))
      assert.match(said.err, sentence)
    }
    assert.match(
      (await cli.run('verifications', 'list', '--client', 'no one')).out,
      /^No verification found since 24h\.$/m,
    )
  })

  test(`the ledger is listed with moves and references, and paged without a gap, over ${databases}`, async () => {
    const { cli, own, ids } = calls
    const account = String(own.accountId)
    await cli.json('accounts', 'credit', account, '50', '--reference', '=invoice 7', '--reason', 'test')
    await cli.json('accounts', 'debit', account, '0.5', '--reference', 'refund 1', '--reason', 'test')
    const list = (...args: string[]) => cli.json<Ledger>('ledger', 'list', ...args)
    const { entries } = await list('--account', account)
    assert.deepEqual(
      entries.map(({ move, amount, reference }) => [move, amount, reference]),
      [
        ['debit', 0.5, 'refund 1'],
        ['credit', 50, '=invoice 7'],
        ['hold', prices.inbound / 1e6, null],
        ['release', 0.4, null],
        ['hold', 0.4, null],
        ['release', 0.4, null],
        ['hold', 0.4, null],
        ['capture', 0.4, null],
        ['hold', 0.4, null],
        ['credit', 100, 'opening balance'],
      ],
    )
    const verification = (await list('--verification', String(ids[0]))).entries
    assert.deepEqual(
      verification.map(({ entry_id: id, sequence, from, to }) => [id, sequence, from, to]),
      [
        [ids[0], 2, 'held', 'revenue'],
        [ids[0], 1, 'available', 'held'],
      ],
    )
    assert.deepEqual(
      (await list('--account', account, '--move', 'credit')).entries.map(({ amount }) => amount),
      [50, 100],
    )
    const whole = (await list()).entries.map(({ entry_id: id, sequence }) => `${id} ${String(sequence)}`)
    const paged: string[] = []
    for (let before: number | null = 2 ** 53 - 1; before !== null; ) {
      const page: Ledger = await list('--limit', '1', '--before', String(before))
      paged.push(...page.entries.map(({ entry_id: id, sequence }) => `${id} ${String(sequence)}`))
      before = page.next_before
    }
    assert.deepEqual(paged, whole)
    assert((await cli.run('ledger', 'list', '--csv')).out.includes(",'=invoice 7\n"), 'a formula')
  })

  test(`a statement has a running balance, also over days that were rolled up, over ${databases}`, async () => {
    const { cli, installation, own } = calls
    const account = String(own.accountId)
    // A day that housekeeping has rolled up: only its sums are left.
    await rollUp(installation, own, { day: '2026-02-03', credit: 30, charges: 10 })
    const statement = await cli.json<{ lines: Record<string, unknown>[]; opening: number; closing: number }>(
      'accounts',
      'statement',
      account,
      '--since',
      '2026-02-01',
    )
    assert.deepEqual(
      statement.lines.map(({ kind, change, balance, entries: count, reference }) => [
        kind,
        change,
        balance,
        count,
        reference,
      ]),
      [
        ['credit', 30, 30, 2, 'old invoice'],
        ['charges', -10, 20, 5, null],
        ['credit', 100, 120, 1, 'opening balance'],
        ['credit', 50, 170, 1, '=invoice 7'],
        ['debit', -0.5, 169.5, 1, 'refund 1'],
        ['charges', -0.4, 169.1, 1, null],
      ],
    )
    assert.deepEqual([statement.opening, statement.closing], [0, 169.1])
    const inFebruary = ['--since', '2026-02-01', '--until', '2026-02-28']
    const past = await cli.json<typeof statement>('accounts', 'statement', account, ...inFebruary)
    assert.deepEqual([past.opening, past.lines.length, past.closing], [0, 2, 20])
    const said = (await cli.run('accounts', 'statement', account)).out
    assert.match(said, /opening +RUB 20\.00\n/)
    assert.match(said, /closing +RUB 169\.10\n/)
    assert.match(said, /\nRUB 168\.80 available now, RUB 0\.30 held for calls in progress\.\n$/)
    const shown = await cli.json<Record<string, unknown>>('accounts', 'show', account)
    assert.deepEqual([shown['balance'], shown['held'], shown['blocked']], [168.8, 0.3, false])
    const text = (await cli.run('accounts', 'show', account)).out
    assert.match(text, new RegExp(`^ *${own.serviceId} +Shop +on `, 'm'))
    assert.match(text, /account debited\n.*account credited\n/)
    assert.match((await cli.run('accounts', 'show', '9999')).err, /Account 9999 does not exist/)
    assert.match((await cli.run('accounts', 'statement', '9999')).err, /Account 9999 does not exist/)
  })

  test(`statistics count calls by trunk, country and hour, over ${databases}`, async () => {
    const { cli, own } = calls
    const stats = (...args: string[]) => cli.json<Record<string, unknown>[]>('stats', ...args)
    const figures = (rows: Record<string, unknown>[]) =>
      rows.map(({ pdd_p50_ms: p50, pdd_p95_ms: p95, ...row }) => {
        // Phones ring after 100 ms; a timer may fire a millisecond early.
        if (row['rang'] !== 0) assert(Number(p50) > 90 && Number(p95) >= Number(p50), JSON.stringify({ p50, p95 }))
        return row
      })
    const first = { dialled: 3, rang: 2, ring_through: 0.6667, succeeded: 2, not_dialled: 0 }
    const second = { dialled: 1, rang: 0, ring_through: 0, succeeded: 0, not_dialled: 0 }
    assert.deepEqual(figures(await stats()), [
      { trunk: 'first', ...first },
      { trunk: 'second', ...second },
    ])
    const both = { dialled: 4, rang: 2, ring_through: 0.5, succeeded: 2, not_dialled: 0 }
    assert.deepEqual(figures(await stats('--by', 'country,mode')), [{ country: 'RU', mode: 'flash', ...both }])
    const ownFirst = { dialled: 2, rang: 1, ring_through: 0.5, succeeded: 1, not_dialled: 0 }
    assert.deepEqual(figures(await stats('--service', String(own.serviceId)))[0], { trunk: 'first', ...ownFirst })
    const hours = await stats('--by', 'hour')
    assert.equal(
      hours.reduce((sum, { dialled }) => sum + Number(dialled), 0),
      4,
    )
    assert.match(String(hours[0]?.['hour']), /^20\d\d-\d\d-\d\dT\d\d:00$/)
    assert.deepEqual(await stats('--until', '2026-01-02', '--since', '2026-01-01'), [])
    const { out } = await cli.run('stats')
    assert.match(out, /^TRUNK +DIALLED +RANG +RING-THROUGH +SUCCEEDED +PDD P50 MS +PDD P95 MS +NOT DIALLED\n/)
    assert.match(out, /^first +3 +2 +66\.7% +2 +\d+ +\d+ +0$/m)
    assert.match((await cli.run('stats', '--by', 'phone')).err, /--by takes trunk, country/)
  })
}

test('a client and a number are found by index below a hundred thousand newer calls', async () => {
  const { own, ids, phone } = callsOf[1]
  const {
    cli,
    installation: { database },
  } = callsOf[1]
  await asOwner(
    (client) =>
      client.query(
        `INSERT INTO verifications (id, account_id, service_id, mode, state, phone_hash, person_sealed, client_digest, country,
           price, balance_before, start_until, end_until, ended_at)
         SELECT ((id >> 23) + 100 + n / 100000 << 23) + (id & (63 << 17)) + n % 100000, account_id, service_id, 'flash', 'failed',
           sha256(n::text::bytea), person_sealed, substr(sha256(n::text::bytea), 1, 8), country, 0, 0, now(), now(), now()
         FROM verifications, generate_series(1, 100000) AS n WHERE id = $1`,
        [ids[1]],
      ),
    database.ownerUrl,
  )
  for (const [option, value] of [
    ['--client', 'Anna, "=1+1"'],
    ['--phone', phone],
  ] as const) {
    const page = await cli.json<Page>('verifications', 'list', '--service', String(own.serviceId), option, value)
    assert(page.verifications.some(({ vendor_id: id }) => id === ids[0]))
  }
  const { rows } = await asOwner(async (client) => {
    await client.query('ANALYZE verifications')
    return client.query<Record<string, string>>(
      `EXPLAIN SELECT FROM verifications WHERE id >= 0 AND account_id = ${own.accountId}
         AND phone_hash = ANY ('{"\\\\x00"}'::bytea[]) ORDER BY id DESC LIMIT 50`,
    )
  }, database.ownerUrl)
  assert.match(JSON.stringify(rows), /phone_hash_idx/)
})

type Calls = {
  readonly cli: Cli
  readonly installation: Installation
  readonly own: TestService
  readonly other: TestService
  readonly phone: string
  readonly base: string
  // A call that rang, one to an absent number, one that failed over, a test call, a pending inbound request, and a call of
  // the other account.
  readonly ids: readonly number[]
}

async function makeCalls(shards: 1 | 2): Promise<Calls> {
  // The start of a call and its second trunk share ten seconds: scaled down, a busy machine needs longer.
  const installation = await installPhones(1, shards)
  const own = await makeService(installation)
  const databaseOf = ({ accountId }: TestService) => installation.slots.databaseOf(slotOfAccount(accountId))
  let other = await makeService(installation)
  // Over two databases, in the other one.
  while (databaseOf(other) === databaseOf(own) && installation.slots.databases.length > 1) {
    other = await makeService(installation)
  }
  const { base } = await serve(installation)
  const phone = freshNumber('180')
  const starts = [
    { phone, client: 'Anna, "=1+1"', unique: 'order 1' },
    { phone: freshNumber('404') },
    { phone: freshNumber('503') },
    { phone: '79000000001' },
  ]
  const start = async ({ bearer: headers }: TestService, method: string, body: object) => {
    const asked = await ask(`${base}/v1.0/${method}`, { method: 'POST', headers, body })
    assert.equal(asked.status, 200, asked.text)
    return Number(asked.json['vendor_id'])
  }
  const ids: number[] = []
  for (const body of starts) {
    const id = await start(own, 'initCall', body)
    await settled(base, own, id)
    ids.push(id)
  }
  ids.push(await start(own, 'inboundCallWaiting', { phone: freshNumber('180'), callback_url: 'http://127.0.0.1:9/' }))
  await waitLonger(installation, own)
  const others = await start(other, 'initCall', { phone: freshNumber('180'), unique: 'order 1' })
  await settled(base, other, others)
  const cli = createCli(installation.environment)
  return { cli, installation, own, other, phone, base, ids: [...ids, others] }
}

// The request stays pending for as long as these tests run.
async function waitLonger({ slots }: Installation, { accountId }: TestService): Promise<void> {
  const database = slots.databaseOf(slotOfAccount(accountId))
  await database.query(`UPDATE inbound_requests SET until = until + interval '1 hour'`)
  await database.query(`UPDATE verifications SET start_until = start_until + interval '1 hour' WHERE mode = 'inbound'`)
}

async function rollUp(
  { slots }: Installation,
  { accountId }: TestService,
  { day, credit, charges }: { readonly day: string; readonly credit: number; readonly charges: number },
): Promise<void> {
  const database = slots.databaseOf(slotOfAccount(accountId))
  const rolled = 'INSERT INTO ledger_days (account_id, day, from_account, to_account, amount, entries) VALUES ($1, $2,'
  await database.query(`${rolled} 'external', 'available', $3, 2)`, [accountId, day, credit * 1e6])
  await database.query(`${rolled} 'available', 'held', $3, 7)`, [accountId, day, charges * 1e6])
  await database.query(`${rolled} 'held', 'revenue', $3, 5)`, [accountId, day, charges * 1e6])
  await database.query(
    `INSERT INTO payment_references (account_id, reference, entry_id, from_account, amount)
     VALUES ($1, 'old invoice', (extract(epoch FROM $2::date)::bigint - 1767225600) << 23, 'external', 5)`,
    [accountId, day],
  )
  await database.query('UPDATE accounts SET balance = balance + $2 WHERE id = $1', [
    accountId,
    (credit - charges) * 1e6,
  ])
}

function descending(a: number | undefined, b: number | undefined): number {
  return Number(b) - Number(a)
}
