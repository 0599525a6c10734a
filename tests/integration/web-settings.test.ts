// The settings of a service in the dashboard: read, previewed, saved by the action of the CLI, in two tabs, by every role.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readApiClients } from '../../server/src/db/accounts/api-client.ts'
import { readService } from '../../server/src/db/accounts/service.ts'
import { type ServiceSettingName, serviceSettings } from '../../server/src/domain/accounts/service.ts'
import { clientWith, readSettings } from '../../server/src/domain/accounts/service-changes.ts'
import { type ServiceId, slotOfService } from '../../server/src/domain/core/slot.ts'
import { testsMax } from '../../server/src/web/test-limit.ts'
import { asOwner } from '../support/database/test-database.ts'
import { ask } from '../support/http/ask.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { freshNumber, installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { joinAs, password, signIn, signUp } from '../support/web/people.ts'

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.1)
const { globalDatabase } = installation.slots
const { base } = await serve(installation, { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const site = { base, mailDir }
const cli = createCli(installation.environment)

async function customer() {
  const { visitor, email } = await signUp(site)
  const { id: accountId } = (await visitor.call('me')).account ?? {}
  const rich = 'UPDATE accounts SET balance = 100000000, must_verify_phone = false WHERE id = $1'
  await globalDatabase.query(rich, [accountId])
  const service = { name: 'Shop', isTest: false, isMovingFromUcaller: false }
  const { serviceId, key } = await visitor.call('create-service', service)
  const read = () => visitor.call('service-settings', { serviceId: String(serviceId) })
  return { visitor, email, accountId, serviceId, key, read }
}

test('the page shows every setting as the CLI does, what is recommended, and what is used', async () => {
  const { visitor, serviceId, key, read } = await customer()
  const shown = await read()
  assert.deepEqual([shown.id, shown.isTest, shown.settings.name], [serviceId, false, 'Shop'])
  const inCli = await cli.json<Record<string, unknown>>('services', 'show', String(serviceId))
  assert.deepEqual(inCli['geography'], shown.settings.geography.split(','))
  assert.equal(inCli['verifications_hour_max'], Number(shown.settings['verifications-hour-max']))
  assert.deepEqual([shown.recommended['test-numbers'], shown.recommended['spend-day-max']], ['off', '5000'])
  assert.deepEqual(shown.usage, { startedHour: 0, startedDay: 0, spentDay: 0 })
  const priced = (code: string) => shown.countries.find((one) => one.code === code)
  assert.deepEqual(priced('RU'), { code: 'RU', dial: '+7', price: 0.4 })
  assert.deepEqual(priced('GB'), { code: 'GB', dial: '+44', price: null })
  const headers = { authorization: `Bearer ${key}.${serviceId}` }
  assert.equal((await ask(`${base}/v1.0/initCall?phone=${freshNumber('180')}`, { headers })).status, 200)
  assert.deepEqual((await read()).usage, { startedHour: 1, startedDay: 1, spentDay: 0.4 })

  const { visitor: stranger } = await signUp(site)
  for (const asked of [serviceId, 64, 2_147_483_647]) {
    const { status, body } = await stranger.refused('service-settings', { serviceId: String(asked) })
    assert.deepEqual([status, body], [404, { error: 'not-found' }], String(asked))
  }
  for (const text of ['x', '9999999999'])
    assert.equal((await visitor.refused('service-settings', { serviceId: text })).status, 400)
})

test('a preview changes nothing and says what saving changes; the change is logged and in force', async () => {
  const { visitor, serviceId, key, accountId, read } = await customer()
  const before = await read()
  const settings = { name: ' Shop 2 ', geography: 'RU, KZ ,UZ', 'spend-day-max': '1200.50', state: 'on' }
  const preview = await visitor.call('preview-settings', { serviceId, settings })
  assert.deepEqual(preview, {
    changes: [
      { name: 'name', was: 'Shop', becomes: 'Shop 2' },
      { name: 'geography', was: 'RU,KZ', becomes: 'RU,KZ,UZ' },
      { name: 'spend-day-max', was: '5000', becomes: '1200.5' },
    ],
    effects: [
      { name: 'geography', unit: 'calls', count: 0 },
      { name: 'spend-day-max', unit: 'days', count: 0 },
    ],
    mistakes: [],
  })
  assert.deepEqual(await read(), before)
  const was = { name: 'Shop', geography: 'RU,KZ', 'spend-day-max': '5000' }
  const { changes } = await visitor.call('save-settings', { serviceId, settings, was })
  assert.deepEqual(changes, preview.changes)
  assert.deepEqual((await read()).settings, {
    ...before.settings,
    ...Object.fromEntries(changes.map(({ name, becomes }) => [name, becomes])),
  })
  const logged = await asOwner(
    (client) =>
      client.query(
        `SELECT user_agent <> '' AS "hasBrowser", details FROM action_log WHERE account_id = $1 AND action = 'service changed'`,
        [accountId],
      ),
    installation.database.ownerUrl,
  )
  assert.deepEqual(
    logged.rows.map(({ details }) => details.changes),
    [{ name: ['Shop', 'Shop 2'], geography: ['RU,KZ', 'RU,KZ,UZ'], 'spend-day-max': ['5000', '1200.5'] }],
  )
  // The CLI calls the same action.
  const back = await cli.json<object>('services', 'set', String(serviceId), '--geography', 'RU')
  assert.deepEqual(back, { service_id: serviceId, changes: { geography: ['RU,KZ,UZ', 'RU'] } })
  const headers = { authorization: `Bearer ${key}.${serviceId}` }
  const refused = await ask(`${base}/v1.0/initCall?phone=77015550180`, { headers })
  assert.equal(refused.json['code'], 9)
  await visitor.call('save-settings', { serviceId, settings: { geography: 'RU,KZ' }, was: { geography: 'RU' } })
  await poll(
    'the country to be allowed',
    async () => (await ask(`${base}/v1.0/initCall?phone=77015550180`, { headers })).status,
    (status) => status === 200,
  )
  const narrower = await visitor.call('preview-settings', { serviceId, settings: { geography: 'RU', modes: 'voice' } })
  assert.deepEqual(narrower.effects, [
    { name: 'geography', unit: 'calls', count: 1 },
    { name: 'modes', unit: 'calls', count: 1 },
  ])
})

test('a value that cannot be saved is named, and nothing of the change is saved', async () => {
  const { visitor, serviceId, read } = await customer()
  const before = await read()
  const settings = { name: 'Other', 'quiet-hours': '25:00-08:00', addresses: '203.0.113.7/8', modes: '' }
  const { mistakes } = await visitor.call('preview-settings', { serviceId, settings })
  assert.deepEqual(mistakes, ['quiet-hours', 'addresses', 'modes'])
  const { status, body } = await visitor.refused('save-settings', { serviceId, settings, was: {} })
  assert.deepEqual([status, body], [400, { error: 'invalid', fields: mistakes }])
  // Into the archive leads a way that asks for a factor, and the rate is the operator's.
  const archived = await visitor.refused('save-settings', { serviceId, settings: { state: 'archived' }, was: {} })
  assert.deepEqual(archived.body, { error: 'invalid', fields: ['state'] })
  const rate = { serviceId, settings: { 'requests-per-second': '1000' }, was: {} }
  assert.equal((await visitor.send('save-settings', rate)).status, 400)
  assert.deepEqual(await read(), before)
})

test('of two tabs that change the same setting the second is refused; different settings are both saved', async () => {
  const { visitor, email, serviceId, read } = await customer()
  const other = await signIn(site, email)
  const seen = (await read()).settings
  const cap = (value: string) => ({
    serviceId,
    settings: { 'verifications-hour-max': value },
    was: { 'verifications-hour-max': seen['verifications-hour-max'] },
  })
  const both = await Promise.all([visitor.send('save-settings', cap('7')), other.send('save-settings', cap('8'))])
  const [winner, loser] = both[0]?.status === 200 ? both : both.toReversed()
  assert.deepEqual([winner?.status, loser?.status], [200, 409])
  assert.deepEqual(loser?.body, { error: 'conflict', fields: ['verifications-hour-max'] })
  const kept = (await read()).settings['verifications-hour-max']
  assert.equal(kept, both[0]?.status === 200 ? '7' : '8')
  // A conflict in one setting saves none of the others.
  const mixed = { ...cap('9').settings, name: 'Lost' }
  const { status } = await other.refused('save-settings', {
    serviceId,
    settings: mixed,
    was: { ...cap('9').was, name: 'Shop' },
  })
  assert.equal(status, 409)
  await Promise.all([
    visitor.call('save-settings', { serviceId, settings: { name: 'First' }, was: { name: 'Shop' } }),
    other.call('save-settings', { serviceId, settings: { language: 'en' }, was: { language: 'ru' } }),
  ])
  const { name, language } = (await read()).settings
  assert.deepEqual([name, language], ['First', 'en'])
})

test('everybody of the account reads, only an owner or a developer changes and tests', async () => {
  const { visitor, serviceId, read } = await customer()
  const shown = await read()
  for (const role of ['developer', 'accountant', 'viewer'] as const) {
    const { visitor: member } = await joinAs(site, visitor, role)
    assert.deepEqual(await member.call('service-settings', { serviceId: String(serviceId) }), shown)
    const settings = { language: 'en' }
    const changes = {
      'preview-settings': { serviceId, settings },
      'save-settings': { serviceId, settings, was: {} },
      'test-settings': { serviceId, settings, phone: '79000000001', address: '', mode: 'flash' },
    } as const
    for (const [name, input] of Object.entries(changes) as [keyof typeof changes, object][]) {
      const { status } = await member.send(name, input)
      assert.equal(status, role === 'developer' ? 200 : 403, `${name} as ${role}`)
    }
    await visitor.call('save-settings', { serviceId, settings: { language: 'ru' }, was: {} })
  }
})

test('what lets a key spend more asks for the person again; what does not, does not', async () => {
  const { visitor, serviceId } = await customer()
  await globalDatabase.query(
    `UPDATE web_sessions SET confirmed_at = clock_timestamp() - interval '11 minutes'
     WHERE user_id = (SELECT max(id) FROM users)`,
  )
  const save = (settings: object) => visitor.send('save-settings', { serviceId, settings, was: {} })
  assert.deepEqual((await save({ 'spend-day-max': 'none' })).body, { error: 'confirm-person' })
  assert.equal((await save({ language: 'en' })).status, 200)
  await visitor.call('confirm-person', { kind: 'password', code: password })
  assert.equal((await save({ 'spend-day-max': 'none' })).status, 200)
})

test('a test says what was refused and which setting lifts it; after twenty in a minute it waits', async () => {
  const { visitor, serviceId } = await customer()
  const phone = '77015550181'
  const run = (settings: object, address = '') =>
    visitor.call('test-settings', { serviceId, settings, phone, address, mode: 'flash' })
  const { saved, drafted } = await run({ geography: 'RU' })
  assert.deepEqual([saved.isAccepted, saved.price, saved.refusal], [true, 0.4, null])
  assert.deepEqual(drafted.refusal, {
    code: 9,
    sentence: {
      en: 'The country KZ is not in the geography of the service.',
      ru: 'Страна KZ не входит в географию сервиса.',
    },
    settings: ['geography'],
    retryAfter: null,
  })
  assert.deepEqual(
    drafted.rules.find(({ state }) => state === 'refused'),
    { rule: 'country', state: 'refused' },
  )
  const listed = { addresses: '203.0.113.0/24' }
  const stateOf = async (address: string) =>
    (await run(listed, address)).drafted.rules.find(({ rule }) => rule === 'address')?.state
  assert.equal(await stateOf(''), 'not-tested')
  assert.equal(await stateOf('203.0.113.9'), 'passed')
  assert.equal(await stateOf('198.51.100.1'), 'refused')
  for (const [fields, input] of [
    [['address'], { address: '203.0.113.0/24', settings: {} }],
    [['modes'], { address: '', settings: { modes: 'fax' } }],
  ] as const) {
    const { body } = await visitor.refused('test-settings', { serviceId, phone, mode: 'flash', ...input })
    assert.deepEqual(body, { error: 'invalid', fields })
  }
  const again = () => visitor.send('test-settings', { serviceId, settings: {}, phone, address: '', mode: 'flash' })
  for (let n = 6; n < testsMax; n++) assert.equal((await again()).status, 200)
  const { status, body } = await again()
  assert.deepEqual([status, (body as { error: string }).error], [429, 'throttled'])
})

// One other value for each setting.
const others: Readonly<Record<ServiceSettingName, string>> = {
  name: 'Other',
  'use-direction': 'a site',
  state: 'off',
  addresses: '203.0.113.7',
  'status-style': 'ok',
  'id-alias': 'other_id',
  repeats: 'on',
  'plain-http': 'off',
  'requests-per-second': '77',
  geography: 'KZ',
  modes: 'voice',
  'calls-per-number-10-minutes': '2',
  'calls-per-number-day': '3',
  'verifications-hour-max': '5',
  'verifications-day-max': '6',
  'spend-day-max': '7.5',
  'prefix-hour-max': '8',
  'quiet-hours': '01:00-02:00',
  'time-zone': 'Asia/Almaty',
  'test-numbers': 'off',
  'inbound-seconds': '45',
  language: 'kk',
  'provider-modes': 'МТС=voice',
}

test('every setting, applied before it is saved, gives the client that is read after; every process is notified', async () => {
  const { serviceId: id } = await customer()
  const serviceId = id as ServiceId
  const database = installation.slots.databaseOf(slotOfService(serviceId))
  const clientNow = async () => {
    const [known] = await readApiClients(database, [serviceId])
    assert(known?.apiClient)
    return known.apiClient
  }
  await asOwner(async (listener) => {
    const notified: (string | undefined)[] = []
    listener.on('notification', ({ payload }) => notified.push(payload))
    await listener.query('LISTEN clients_changed')
    for (const name of Object.keys(serviceSettings) as ServiceSettingName[]) {
      const drafted = clientWith(await clientNow(), readSettings({ [name]: others[name] }).values)
      notified.length = 0
      await cli.json('services', 'set', String(serviceId), `--${name}`, others[name])
      assert.deepEqual(await clientNow(), drafted, name)
      await listener.query('SELECT')
      assert.deepEqual(notified, [`s${serviceId}`], name)
    }
  }, installation.database.ownerUrl)
  const stored = await readService(database, serviceId)
  assert.equal(stored?.settings.name, 'Other')
})
