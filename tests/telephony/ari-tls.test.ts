// ARI over TLS: prepared by the CLI, driven with the certificate that the settings name, and never in clear.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asteriskTree } from '../../scripts/stack/parts/asterisk.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { createLog } from '../../server/src/process/log/log.ts'
import { createAsterisk } from '../../server/src/telephony/asterisk/asterisk.ts'
import { readRegistrations } from '../../server/src/telephony/asterisk/registrations.ts'
import { noCapture } from '../../server/src/telephony/sip/capture.ts'
import { atEnd } from '../support/at-end.ts'
import { testAuthority } from '../support/network/certificates.ts'
import { plainListener } from '../support/network/plain-listener.ts'
import { ringproof } from '../support/process/cli.ts'
import { installPhones } from '../support/process/phones.ts'
import { runAsteriskUntil } from '../support/sip/asterisk.ts'
import { realClock } from '../support/sip/asterisk-switch.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const password = 'SECRET-PASSWORD'
const directory = fileDirectory()
const phones = await installPhones(1)
const ours = testAuthority(directory, 'ours')
const theirs = testAuthority(directory, 'theirs')
const certificate = ours.issue('IP:127.0.0.1')
const [ariPort, sipPort, sipTlsPort] = await Promise.all([freePort(), freePort(), freePort()])
const url = `https://127.0.0.1:${ariPort}`
const stripped = await plainListener('', 'HTTP/1.1 101 Switching Protocols\r\n\r\n')
const settings = {
  ...phones.environment,
  RINGPROOF_ARI_URL: url,
  RINGPROOF_ARI_PASSWORD: password,
  RINGPROOF_SIP_HOST: '127.0.0.1',
  RINGPROOF_SIP_PORT: String(sipPort),
  RINGPROOF_SIP_TLS_PORT: String(sipTlsPort),
  RINGPROOF_SIP_CA_FILE: '',
}
const files = { RINGPROOF_ARI_CERT_FILE: certificate.certFile, RINGPROOF_ARI_KEY_FILE: certificate.keyFile }
const prepare = ['asterisk', 'prepare', directory, '--programs', `${asteriskTree}/usr`]
const prepared = await ringproof({ ...settings, ...files }, ...prepare)
const access = { url, user: 'ringproof', password, caFile: ours.certFile }
const server = await runAsteriskUntil(`${directory}/etc/asterisk.conf`, () => readRegistrations(access))
atEnd(() => server.kill('SIGKILL'))

test('`asterisk prepare` for https without a certificate asks for one', async () => {
  assert.equal(prepared.err, '')
  const { status, err } = await ringproof(settings, ...prepare)
  assert.equal(status, 1)
  assert.match(err, /set RINGPROOF_ARI_CERT_FILE and RINGPROOF_ARI_KEY_FILE/)
})

test('ARI works over TLS with our certificate, and refuses plain connections', async () => {
  const { network } = open(access)
  await network.opened
  await network.close()
  await assert.rejects(fetch(`http://127.0.0.1:${ariPort}/ari/asterisk/info`))
})

test('an Asterisk with a certificate from another CA is refused', async () => {
  const { network, lines } = open({ ...access, caFile: theirs.certFile })
  assert.match(await lines.first, /certificate.*ARI connection failed/)
  await network.close()
})

test('https:// to a server without TLS is refused before the password is sent', async () => {
  const { network } = open({ ...access, url: `https://127.0.0.1:${stripped.port}` })
  await stripped.left
  await network.close()
  const basic = Buffer.from(`ringproof:${password}`).toString('base64')
  assert(!stripped.received().includes(basic) && !stripped.received().includes('GET '))
  assert.notEqual(stripped.received(), '')
})

function open(to: typeof access) {
  const first = Promise.withResolvers<string>()
  const network = createAsterisk({
    ...to,
    node: 'over-tls',
    isGuest: false,
    sipTransports: ['udp'],
    hepPort: undefined,
    capture: noCapture,
    callsPerSecond: 1,
    trunks: () => [],
    passwordOf: () => undefined,
    clock: realClock,
    log: createLog({ write: (line: string) => first.resolve(line) }),
    failed: (why) => assert.fail(why),
  })
  return { network, lines: { first: first.promise } }
}
