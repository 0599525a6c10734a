// Codes are spoken to a second Asterisk, which answers and records the RTP audio: each recording has the right digits
// in the right language. Codes are spoken twice because audio gets lost: a pause of the machine leaves a gap in one
// reading, and the other must be complete.

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { trunkDefaults } from '../../server/src/domain/trunks/trunk.ts'
import { outcomeOf } from '../../server/src/domain/verifications/call-outcome.ts'
import { placeCall } from '../../server/src/engine/trunks/place-call.ts'
import { testAsterisk } from '../support/sip/asterisk.ts'
import { asteriskSwitch, realClock } from '../support/sip/asterisk-switch.ts'
import { makeKazakhPrompts } from '../support/sip/kazakh-prompts.ts'
import { readPrompts, spokenDigits } from '../support/sip/spoken-digits.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const kazakhPrompts = join(fileDirectory(), 'kk')
makeKazakhPrompts(kazakhPrompts)
const recordings = fileDirectory()
const [asterisk, callee] = await Promise.all([
  testAsterisk({ site: { kazakhPrompts } }),
  testAsterisk({ rewrite: makeCallee }),
])
const address = `127.0.0.1:${callee.site.sipPort}`
const trunk = { ...trunkDefaults, name: 'callee', address, channels: 100, callsPerSecond: 100 }
const network = await asteriskSwitch(asterisk, () => [trunk])

const calls = (['ru', 'en', 'kk'] as const).flatMap((language) =>
  Array.from({ length: 10 }, (_, index) => ({
    language,
    code: String(randomInt(1, 10_000)).padStart(4, '0'),
    to: `790700${language === 'ru' ? 1 : language === 'en' ? 2 : 3}${String(index).padStart(4, '0')}`,
  })),
)

test('thirty codes in three languages are recognised as spoken, and no other code is', async () => {
  await Promise.all(calls.map(speakTo))
  const twice = calls.filter((call) => assertHeard(call, call.language, call.code) === call.code + call.code)
  assert(twice.length >= calls.length * 0.8, `only ${twice.length} codes were received twice`)
  const [first] = calls
  assert(first)
  const wrong = String((Number(first.code) + 1) % 10_000).padStart(4, '0')
  assert.throws(() => assertHeard(first, first.language, wrong))
  assert.throws(() => assertHeard(first, 'en', first.code))
})

// One reading is complete, and nothing was recognised that was not spoken.
function assertHeard({ to }: (typeof calls)[number], language: string, code: string): string {
  const received = spokenDigits(join(recordings, `${to}.wav`), promptsOf(language))
  const isWhole = received.startsWith(code) || received.endsWith(code)
  const spoken = new RegExp(`^${[...(code + code)].map((digit) => `${digit}?`).join('')}$`)
  assert(isWhole && spoken.test(received), `${language} ${to}: ${received}, and not twice ${code}`)
  return received
}

async function speakTo({ language, code, to }: (typeof calls)[number]): Promise<void> {
  const call = { channelId: `voice-${to}`, trunk: trunk.name, to, from: '70000000001', mode: 'voice' } as const
  const { progress } = placeCall(
    { switch: network, clock: realClock },
    { ...call, code, language, ringMs: 5_000, countsEarlyMedia: false, callDeadlineMs: 55_000 },
  )
  assert.equal(outcomeOf('voice', await progress, false).reason, 'spoken', `${language} ${to}`)
}

const loaded = new Map<string, ReturnType<typeof readPrompts>>()

function promptsOf(language: string): ReturnType<typeof readPrompts> {
  const known = loaded.get(language) ?? readPrompts(join(asterisk.site.directory, 'data/sounds', language, 'digits'))
  loaded.set(language, known)
  return known
}

// Rings, answers and records every call from this machine.
function makeCallee(directory: string): void {
  mkdirSync(recordings, { recursive: true })
  const write = (file: string, text: string) => writeFileSync(join(directory, 'etc', file), text)
  write('sorcery.conf', '; Everything from files.\n')
  appendFileSync(join(directory, 'etc/modules.conf'), 'load = app_record.so\n')
  appendFileSync(
    join(directory, 'etc/pjsip.conf'),
    `
[caller]
type = endpoint
context = answering
disallow = all
allow = alaw
direct_media = no
[caller]
type = identify
endpoint = caller
match = 127.0.0.1
`,
  )
  write(
    'extensions.conf',
    `[answering]
exten = _X.,1,Ringing()
 same = n,Wait(1)
 same = n,Answer()
 same = n,Record(${recordings}/\${EXTEN}.wav,0,40,qk)
`,
  )
}
