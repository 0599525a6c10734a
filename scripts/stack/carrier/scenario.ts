// The test carrier, as a sipp scenario. The last three digits of the dialled number select the scenario: the table is at the
// top of server/src/telephony/fake-switch.ts, and one test suite runs against both. It also replies to OPTIONS, which shows
// that a trunk is up, and accepts every registration.
//
// Beside them are phones of the demo's world, whose networks take longer:
//
//   911, 912, 914, 915   ring after 1.4, 2.6, 1.9 and 3.4 s on average, until we hang up
//   913                  as 914; a carrier that is ill refuses it with 503
//
// sipp allows no variable in a status line, so every status has a separate branch.

const refusals = [
  302, 400, 401, 402, 403, 404, 405, 406, 407, 408, 410, 413, 414, 415, 416, 420, 421, 423, 480, 481, 482, 483, 484,
  485, 486, 487, 488, 491, 493, 500, 501, 502, 503, 504, 505, 513, 599, 600, 603, 604, 606, 607, 608, 699,
]

const setupMs = 100
const ringMs = 2_000
const shortRingMs = 300
const talkMs = 1_000
// Longer than any timeout for a response.
const silenceMs = 40_000

const sound = `Content-Type: application/sdp
Content-Length: [len]

v=0
o=carrier 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 8
a=rtpmap:8 PCMA/8000
`

export function carrierScenario(isIll = false): string {
  const progresses = labelled({ ...progressOf, ...slowly, '913': isIll ? refuse(503) : slowly['914'] })
  return `<?xml version="1.0" encoding="UTF-8" ?>
<scenario name="carrier">
<recv request="OPTIONS" optional="true" next="fine"/>
<recv request="REGISTER" optional="true" next="registered"/>
<recv request="INVITE" rrs="true"><action>
<ereg regexp="INVITE sips?:[^@]*([0-9][0-9][0-9])@" search_in="msg" check_it="true" assign_to="line,scenario"/>
<ereg regexp=":.*" search_in="hdr" header="From" assign_to="caller"/>
${scenarios.map(tested).join('\n')}
</action></recv>
<nop next="scenario-000" test="is-000"/>
${reply('100 Trying', { hasTag: false })}
<pause milliseconds="${setupMs}"/>
${scenarios
  .filter((scenario) => scenario !== '000')
  .map((scenario) => `<nop next="scenario-${scenario}" test="is-${scenario}"/>`)
  .join('\n')}
<nop next="scenario-404"/>
${progresses}
${refusals.map((status) => `<label id="scenario-${status}"/>\n${refuse(status)}`).join('\n')}
<label id="await-cancel"/>
<recv request="CANCEL"/>
${reply('200 OK')}
${reply('487 Request Terminated', { isRepeated: true, sequence: 'CSeq: [cseq] INVITE' })}
<recv request="ACK" next="end"/>
<label id="await-bye"/>
<recv request="BYE"/>
<label id="fine"/>
${reply('200 OK', { hasTag: false, next: 'end' })}
<label id="registered"/>
${reply('200 OK', { headers: '[last_Contact:]\nExpires: 300\n', next: 'end' })}
<label id="end"/>
<nop/>
<Reference variables="line,caller,scenario"/>
</scenario>
`
}

const ringing = reply('180 Ringing', { isOurs: true })
const answered = `${reply('200 OK', { isOurs: true, isRepeated: true, hasSound: true })}<recv request="ACK"/>\n`

// Each ends the call or jumps to a label that does.
const progressOf: Readonly<Record<string, string>> = {
  '180': `${ringing}<nop next="await-cancel"/>`,
  '183': `${reply('183 Session Progress', { isOurs: true, hasSound: true })}<nop next="await-cancel"/>`,
  '200': `${ringing}${pause(ringMs)}${answered}<nop next="await-bye"/>`,
  '201': `${answered}<nop next="await-bye"/>`,
  '299': `${ringing}${pause(ringMs)}${answered}${pause(talkMs)}${goodbye()}`,
  '586': `${ringing}${pause(ringMs)}<nop next="scenario-486"/>`,
  '580': `${ringing}${pause(ringMs)}<nop next="scenario-480"/>`,
  '581': `${ringing}${pause(shortRingMs)}<nop next="scenario-480"/>`,
  '100': '<nop next="await-cancel"/>',
  '000': `${pause(silenceMs)}<nop next="end"/>`,
}

const slowly = {
  '911': ringsAfter(1_400),
  '912': ringsAfter(2_600),
  '914': ringsAfter(1_900),
  '915': ringsAfter(3_400),
}

const scenarios = [...Object.keys(progressOf), ...Object.keys(slowly), '913', ...refusals.map(String)]

function labelled(progresses: Readonly<Record<string, string>>): string {
  return Object.entries(progresses)
    .map(([scenario, progress]) => `<label id="scenario-${scenario}"/>\n${progress}`)
    .join('\n')
}

function ringsAfter(meanMs: number): string {
  const spread = Math.round(meanMs / 5)
  return `<pause distribution="normal" mean="${meanMs}" stdev="${spread}"/>\n${ringing}<nop next="await-cancel"/>`
}

function tested(scenario: string): string {
  return `<strcmp assign_to="to-${scenario}" variable="scenario" value="${scenario}"/>
<test assign_to="is-${scenario}" variable="to-${scenario}" compare="equal" value="0"/>`
}

type Reply = {
  readonly hasTag?: boolean
  readonly isRepeated?: boolean
  readonly isOurs?: boolean
  readonly hasSound?: boolean
  readonly sequence?: string
  readonly headers?: string
  readonly next?: string
}

function reply(line: string, how: Reply = {}): string {
  const { hasTag = true, isRepeated, isOurs, hasSound, sequence = '[last_CSeq:]', headers = '', next } = how
  const contact = isOurs ? 'Contact: <sip:[local_ip]:[local_port];transport=[transport]>\n' : ''
  const body = hasSound ? sound : 'Content-Length: 0\n'
  const attributes = `${isRepeated ? ' retrans="500"' : ''}${next === undefined ? '' : ` next="${next}"`}`
  return `<send${attributes}><![CDATA[
SIP/2.0 ${line}
[last_Via:]
[last_From:]
[last_To:]${hasTag ? ';tag=[pid]S[call_number]' : ''}
[last_Call-ID:]
${sequence}
${contact}${headers}${body}
]]></send>
`
}

function refuse(status: number): string {
  const challenge = 'Digest realm="carrier", nonce="once"\n'
  const headers = new Map([
    [401, `WWW-Authenticate: ${challenge}`],
    [407, `Proxy-Authenticate: ${challenge}`],
    [302, 'Contact: <sip:79079999180@[local_ip]:[local_port]>\n'],
  ])
  const response = reply(`${status} Refused`, { isRepeated: true, headers: headers.get(status) ?? '' })
  return `${response}<recv request="ACK" next="end"/>`
}

// The callee hangs up.
function goodbye(): string {
  return `<send retrans="500"><![CDATA[
BYE [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:callee@[local_ip]:[local_port]>;tag=[pid]S[call_number]
To[$caller]
[last_Call-ID:]
CSeq: 2 BYE
Max-Forwards: 70
Content-Length: 0

]]></send>
<recv response="200" next="end"/>
`
}

function pause(ms: number): string {
  return `<pause milliseconds="${ms}"/>\n`
}
