// Announcements: every dashboard shows the current ones and no other, only admins post, and the public status says what is known without
// naming anything.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../server/src/domain/values/time.ts'
import { poll } from '../support/poll.ts'
import { createCli } from '../support/process/cli-in-process.ts'
import { installPhones } from '../support/process/phones.ts'
import { serve } from '../support/process/server.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { createOperator } from '../support/web/operator.ts'
import { signUp } from '../support/web/people.ts'

type PublicStatus = {
  status: string
  updated: string
  announcements: { severity: string; text: { en: string; ru: string }; from: string; until: string | null }[]
}

const mailDir = `${fileDirectory()}/mail`
const installation = await installPhones(0.05)
const { base } = await serve(installation, { RINGPROOF_MAIL_DIR: mailDir, RINGPROOF_TRUSTED_PROXIES: '127.0.0.1' })
const admin = await createOperator(installation, base, 'admin')
const support = await createOperator(installation, base, 'support')
const viewer = await createOperator(installation, base, 'viewer')
const { visitor: member } = await signUp({ base, mailDir })
const cli = createCli(installation.environment)
const plain = { severity: 'info', ru: 'Русский текст', from: null, until: null, stopsCalls: false } as const

async function shown(): Promise<readonly string[]> {
  const { announcements } = await member.call('current-announcements')
  return announcements.map(({ text }) => text.en)
}

async function status(): Promise<PublicStatus> {
  return (await fetch(`${base}/status.json`)).json() as Promise<PublicStatus>
}

async function endAll(): Promise<void> {
  for (const { id, state } of (await admin.visitor.call('announcements')).announcements) {
    if (state !== 'past') await admin.visitor.call('end-announcement', { id })
  }
}

test('a dashboard shows what is current: nothing planned, over or ended', async () => {
  const now = Date.now()
  await admin.visitor.call('post-announcement', { ...plain, en: 'tomorrow', from: now + 24 * hourMs })
  const soon = { ...plain, en: 'soon over', from: now - hourMs, until: now + 4_000 }
  await admin.visitor.call('post-announcement', soon)
  const { id } = await admin.visitor.call('post-announcement', { ...plain, en: 'now', until: now + hourMs })
  assert.deepEqual(await shown(), ['now', 'soon over'])
  const { announcements } = await member.call('current-announcements')
  assert.deepEqual(announcements[0]?.text, { en: 'now', ru: 'Русский текст' })
  await poll('the first to be over', shown, (texts) => !texts.includes('soon over'))
  assert(Date.now() >= soon.until)
  assert.deepEqual(await shown(), ['now'])
  await admin.visitor.call('end-announcement', { id })
  assert.deepEqual(await shown(), [])
  assert.equal((await admin.visitor.refused('end-announcement', { id })).body.error, 'not-found')
  const listed = await viewer.visitor.call('announcements')
  assert.deepEqual(
    listed.announcements.map(({ text, state }) => `${text.en}: ${state}`),
    ['tomorrow: planned', 'now: past', 'soon over: past'],
  )
  await endAll()
})

test('only an admin posts and ends, and both are in the audit log', async () => {
  const { id } = await admin.visitor.call('post-announcement', { ...plain, en: 'audited' })
  for (const { visitor } of [viewer, support]) {
    const refused = await visitor.refused('post-announcement', { ...plain, en: 'not mine' })
    assert.equal(refused.body.error, 'forbidden')
    assert.equal((await visitor.refused('end-announcement', { id })).body.error, 'forbidden')
    assert.equal((await visitor.call('announcements')).announcements[0]?.text.en, 'audited')
  }
  assert.equal((await member.refused('post-announcement', { ...plain, en: 'not mine' })).body.error, 'forbidden')
  assert.equal((await member.refused('announcements')).body.error, 'forbidden')
  await admin.visitor.call('end-announcement', { id })
  const { entries } = await admin.visitor.call('audit-log', { action: 'announcement' })
  const [ended, posted] = entries
  assert.deepEqual([ended?.action, posted?.action], ['announcement ended', 'announcement posted'])
  assert.deepEqual([ended?.who, posted?.who], [admin.email, admin.email])
  assert.match(posted?.details ?? '', /"en":"audited"/)
  assert.match(ended?.details ?? '', /"before":\{"until":null\}/)
})

test('an end that has passed, an end before the start and an empty text are refused', async () => {
  const now = Date.now()
  for (const wrong of [
    { en: 'x', from: now - 2 * hourMs, until: now - hourMs },
    { en: 'x', from: now + 2 * hourMs, until: now + hourMs },
    { en: '  ' },
    { en: 'x', stopsCalls: true },
  ]) {
    const { body } = await admin.visitor.refused('post-announcement', { ...plain, ...wrong })
    assert.equal(body.error, 'invalid', JSON.stringify(wrong))
  }
  const later = { ...plain, en: 'x', severity: 'maintenance', from: now + hourMs, stopsCalls: true } as const
  assert.equal((await admin.visitor.refused('post-announcement', later)).body.error, 'invalid')
})

test('the command line posts, lists and ends by the same actions', async () => {
  const texts = ['--en', 'by hand', '--ru', 'вручную']
  const posted = await cli.json<{ id: number }>('announcements', 'post', '--severity', 'degraded', ...texts)
  const listed = await cli.json<{ announcements: { id: number; state: string }[] }>('announcements', 'list')
  assert.deepEqual([listed.announcements[0]?.id, listed.announcements[0]?.state], [posted.id, 'current'])
  await poll('the dashboard to show it', shown, (now) => now.includes('by hand'))
  await poll('the status', status, (now) => now.status === 'degraded')
  assert.match((await cli.run('announcements', 'end', String(posted.id))).out, /is ended\./)
  assert.match((await cli.run('announcements', 'end', String(posted.id))).err, /is planned or current/)
  assert.match((await cli.run('announcements', 'post', '--severity', 'bad', ...texts)).err, /--severity takes/)
})

test('the public status follows the stop of all trunks and names nothing', async () => {
  await poll('the status', status, (now) => now.status === 'ok')
  await admin.visitor.call('stop-trunks', { reason: 'toll fraud' })
  const { announcements, updated } = await poll('the status', status, (now) => now.status === 'outage')
  assert(Math.abs(Date.parse(updated) - Date.now()) < 60_000)
  const response = await fetch(`${base}/status.json?at=1`, { headers: { origin: 'https://status.example.org' } })
  const text = await response.text()
  assert.deepEqual(Object.keys(JSON.parse(text)), ['status', 'updated', 'announcements'])
  const { trunks } = await viewer.visitor.call('trunks')
  assert(trunks.length > 0)
  for (const { name } of trunks) assert(!text.includes(name), name)
  assert(!text.includes('toll fraud'))
  assert.deepEqual(announcements, [])
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.equal(response.headers.get('cache-control'), 'public, max-age=5')
  await admin.visitor.call('resume-trunks', {})
  await poll('the status', status, (now) => now.status === 'ok')
})

test('maintenance stops all calls and announces it; its end starts them, but lifts no stop of somebody else', async () => {
  const maintenance = { ...plain, severity: 'maintenance', en: 'upgrade', stopsCalls: true } as const
  const first = await admin.visitor.call('post-announcement', { ...maintenance, until: Date.now() + 1_000 })
  assert.equal((await viewer.visitor.call('trunks')).stop?.reason, 'maintenance')
  assert.equal((await admin.visitor.refused('post-announcement', maintenance)).body.error, 'invalid')
  const now = await poll('the status', status, (one) => one.status !== 'ok')
  assert.equal(now.status, 'maintenance')
  assert.deepEqual(now.announcements[0]?.text, { en: 'upgrade', ru: 'Русский текст' })
  // It takes longer than planned: the calls are still stopped, and customers see why.
  await poll(
    'the planned end',
    async () => Date.now(),
    (ms) => ms > Date.parse(now.announcements[0]?.until ?? ''),
  )
  const [current] = (await viewer.visitor.call('announcements')).announcements
  assert.deepEqual([current?.text.en, current?.state, current?.stopsCalls], ['upgrade', 'current', true])
  assert.deepEqual(await admin.visitor.call('end-announcement', { id: first.id }), { isResumed: true })
  assert.equal((await viewer.visitor.call('trunks')).stop, null)

  const { id } = await admin.visitor.call('post-announcement', maintenance)
  await admin.visitor.call('resume-trunks', {})
  await admin.visitor.call('stop-trunks', { reason: 'toll fraud' })
  assert.deepEqual(await admin.visitor.call('end-announcement', { id }), { isResumed: false })
  assert.equal((await viewer.visitor.call('trunks')).stop?.reason, 'toll fraud')
  await admin.visitor.call('resume-trunks', {})
})
