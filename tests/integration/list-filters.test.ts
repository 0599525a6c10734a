// Each filter of a list changes the list, its count, its chart and its file alike. The fields come from the contract: a new one is tested
// by itself, once it has a sample here.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type EndpointName, type WebInput, webApi } from '@ringproof/contract/web/api.ts'
import { insertSeed, prepareSeed, seedPhone } from '../../scripts/seed/traffic.ts'
import type { AccountId, ServiceId } from '../../server/src/domain/core/slot.ts'
import { hourSeconds } from '../../server/src/domain/values/time.ts'
import { readSecrets } from '../../server/src/process/secrets.ts'
import { asOwner } from '../support/database/test-database.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { install, serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { operatorAs, type Person, signUp } from '../support/web/people.ts'
import type { BrowserVisitor } from '../support/web/visitor.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await install()
const settings = { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' }
const { base } = await serve(installation, settings, '--roles', 'web')
const cli = createCli({ ...installation.environment, RINGPROOF_PUBLIC_URL: base })
const keys = readSecrets(installation.environment['RINGPROOF_SECRETS_DIR'] ?? '')
const [owner, stranger] = [await signUp({ base, mailDir }), await signUp({ base, mailDir })]
const operator = await operatorAs(base, cli, 'viewer')

const nowSecond = Math.floor(Date.now() / 1_000)
// The traffic is of the last three hours, so there is some before and some after this whole hour.
const middleMs = String((Math.floor(nowSecond / hourSeconds) - 1) * hourSeconds * 1_000)
const own = await seed(owner, 1, 2)
const other = await seed(stranger, 100_001, 1)
const live = { traffic: 'live' } as const

test('a filter of verifications changes list, file, chart and statistics alike, or the chart refuses it', async () => {
  const { verifications } = await owner.visitor.call('verifications', live)
  const { number } = await owner.visitor.call('find-verifications', { text: seedPhone(1) })
  const ids = verifications.slice(0, 2).map(({ id }) => id)
  const samples: Samples<'verifications'> = {
    traffic: 'test',
    from: middleMs,
    until: middleMs,
    status: 'failed',
    mode: 'voice',
    country: 'KZ',
    provider: 'Polar',
    trunk: 'south',
    reason: 'rang',
    service: String(own.serviceIds[1]),
    number: number ?? '',
    client: await clientOf(verifications[0]?.client ?? ''),
    ids: ids.join(','),
  }
  const all = await listed('verifications', {})
  for (const field of fieldsOf('verifications')) {
    const filter = { ...live, [field]: samples[field] }
    const found = await listed('verifications', filter)
    assert(found.length > 0 && found.join() !== all.join(), `${field} changes nothing`)
    assert.deepEqual(await inFile(owner.visitor, 'verifications.csv', filter), found, field)
    if (has('verification-counts', field)) {
      const { counts } = await owner.visitor.call('verification-counts', filter)
      assert.equal(sumOf(counts), found.length, `the chart, ${field}`)
    } else {
      const refused = await owner.visitor.send('verification-counts', filter)
      assert.equal(refused.status, 400, `the chart is not filtered by ${field}, and shows all`)
    }
    if (has('statistics', field)) {
      const { total, bins } = await owner.visitor.call('statistics', filter)
      assert.deepEqual([total.calls, sumOf(bins)], [found.length, found.length], `the statistics, ${field}`)
    }
  }
})

test('a filter of calls changes list and file alike', async () => {
  const { calls } = await operator.call('calls', live)
  const samples: Samples<'calls'> = {
    traffic: 'test',
    from: middleMs,
    until: middleMs,
    status: 'failed',
    mode: 'voice',
    country: 'KZ',
    provider: 'Polar',
    trunk: 'south',
    reason: 'rang',
    account: String(other.accountId),
    sip: '486',
    side: 'carrier',
    ids: String(calls[0]?.id),
  }
  const all = await listed('calls', {})
  for (const field of fieldsOf('calls')) {
    const filter = { ...live, [field]: samples[field] }
    const found = await listed('calls', filter)
    assert(found.length > 0 && found.join() !== all.join(), `${field} changes nothing`)
    assert.deepEqual(await inFile(operator, 'calls.csv', filter), found, field)
  }
})

test('a column means the same in the files of the dashboard, of the console and of the command line', async () => {
  const files = {
    customer: rowsOf(await download(owner.visitor, 'verifications.csv', live)),
    operator: rowsOf(await download(operator, 'calls.csv', live)),
    commandLine: rowsOf((await cli.run('verifications', 'list', '--csv', '--limit', '10000')).out),
  }
  assert.deepEqual(
    files.commandLine.columns.filter((name) => name !== 'caller_number'),
    files.operator.columns,
  )
  for (const [mine, theirs] of [
    [files.customer, files.operator],
    [files.operator, files.commandLine],
  ] as const) {
    const shared = mine.columns.filter((name) => theirs.columns.includes(name))
    assert(shared.length > 10 && mine.rows.size > 100)
    for (const [id, row] of mine.rows) {
      const same = theirs.rows.get(id)
      for (const name of shared) assert.equal(row[name], same?.[name], `${name} of ${id}`)
    }
  }
})

test('a filter of the audit log changes list, file and command line alike', async () => {
  const samples: Samples<'audit-log'> = { account: String(own.accountId), action: 'service', who: owner.email }
  const all = await auditEntries({})
  for (const field of fieldsOf('audit-log')) {
    const filter = { [field]: samples[field] }
    const found = await auditEntries(filter)
    assert(found.length > 0 && found.length < all.length, `${field} changes nothing`)
    const csv = await download(operator, 'audit.csv', filter)
    assert.deepEqual(auditIds(csv), found, field)
    const printed = await cli.run('audit', 'list', '--csv', '--limit', '1000', `--${field}`, samples[field])
    assert.equal(printed.out.trimEnd(), csv.trimEnd(), field)
  }
})

type Filtered = 'verifications' | 'calls' | 'audit-log'
type Samples<Name extends Filtered> = Required<Omit<WebInput<Name>, 'before'>>

// The page is no filter.
function fieldsOf<Name extends Filtered>(name: Name): readonly (keyof Samples<Name>)[] {
  const fields = Object.keys(webApi[name].input.properties).filter((field) => field !== 'before')
  return fields as unknown as readonly (keyof Samples<Name>)[]
}

function has(name: EndpointName, field: string): boolean {
  return field in webApi[name].input.properties
}

async function listed(name: 'verifications' | 'calls', filter: object): Promise<readonly number[]> {
  const ids: number[] = []
  for (let before: number | null | undefined; before !== null; ) {
    const input = { ...live, ...filter, ...(before === undefined ? {} : { before: String(before) }) }
    const page =
      name === 'calls'
        ? await operator.call('calls', input).then(({ calls, nextBefore }) => ({ rows: calls, nextBefore }))
        : await owner.visitor.call(name, input).then(({ verifications: rows, nextBefore }) => ({ rows, nextBefore }))
    ids.push(...page.rows.map(({ id }) => id))
    before = page.nextBefore
  }
  return ids
}

async function inFile(visitor: BrowserVisitor, file: string, filter: object): Promise<readonly number[]> {
  return [...rowsOf(await download(visitor, file, filter)).rows.keys()].map(Number)
}

async function auditEntries(filter: object): Promise<readonly string[]> {
  const { entries } = await operator.call('audit-log', filter)
  return entries.map(({ key }) => key)
}

function auditIds(csv: string): readonly string[] {
  const lines = csv.trimEnd().split('\n').slice(1)
  return lines.map((line) => line.split(',').slice(1, 3).join(':'))
}

// By the ID in the first column.
function rowsOf(csv: string) {
  const [head = '', ...lines] = csv.trimEnd().split('\n')
  const columns = head.split(',')
  assert.equal(columns[0], 'vendor_id')
  const rows = lines.map((line) => {
    const values = line.split(',')
    return [values[0] ?? '', Object.fromEntries(columns.map((name, at) => [name, values[at]]))] as const
  })
  return { columns, rows: new Map<string, Readonly<Record<string, string | undefined>>>(rows) }
}

async function download(visitor: BrowserVisitor, file: string, filter: object): Promise<string> {
  const query = new URLSearchParams(filter as Record<string, string>).toString()
  const response = await fetch(`${base}/web/${file}?${query}`, {
    headers: { cookie: visitor.cookie, 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(response.status, 200, file)
  return response.text()
}

async function clientOf(text: string): Promise<string> {
  return (await owner.visitor.call('find-verifications', { text })).client ?? ''
}

function sumOf(counts: readonly { readonly calls: number }[]): number {
  return counts.reduce((sum, { calls }) => sum + calls, 0)
}

async function seed({ visitor }: Person, firstRow: number, serviceCount: number) {
  const accountId = (await visitor.call('me')).account?.id as AccountId
  const serviceIds: ServiceId[] = []
  for (let n = 0; n < serviceCount; n++) {
    const { serviceId } = await visitor.call('create-service', {
      name: `Shop ${n}`,
      isTest: true,
      isMovingFromUcaller: false,
    })
    serviceIds.push(serviceId as ServiceId)
  }
  await asOwner(async (client) => {
    const random = { recordKeys: keys['seal-records'], tenantKeys: keys['phone-tenant'], randomBytes }
    await prepareSeed(
      client,
      serviceIds.map((serviceId) => ({ accountId, serviceId })),
      random,
    )
    const stretch = {
      fromSecond: nowSecond - 3 * hourSeconds,
      seconds: 3 * hourSeconds - 10,
      first: firstRow,
      count: 1_200,
    }
    await insertSeed(client, 'verifications', stretch, serviceCount)
  }, installation.database.ownerUrl)
  return { accountId, serviceIds }
}
