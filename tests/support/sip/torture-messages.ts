// The torture tests of RFC 4475, by its names, and those of RFC 5118 for IPv6, rebuilt from their descriptions: each has the trait that the
// RFC tests. Where the RFC names somebody else, these name a third party, which must get nothing.

export type TortureMessage = { readonly name: string; readonly bytes: Buffer }

export type TorturePlaces = {
  // The number in each message, which must not be logged.
  readonly number: string
  // Where replies may go.
  readonly us: string
  readonly third: string
}

// A value that replaces, several values, or undefined for none.
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>
type Build = (name: string, line: string, headers?: Headers, body?: string) => TortureMessage

export function tortureMessages(places: TorturePlaces): readonly TortureMessage[] {
  const build = builderFor(places)
  return [
    ...validMessages(build, places),
    ...longMessages(build, places),
    ...brokenLines(build, places),
    ...brokenHeaders(build, places),
    ...unusualRequests(build, places),
    ...unusualHeaders(build, places),
    ...ipv6Messages(build, places),
  ]
}

// A sound INVITE with the given start line; its headers are replaced, removed or added.
function builderFor({ number, us }: TorturePlaces): Build {
  return (name, line, changes = {}, body = '') => {
    const method = line.startsWith('SIP/') ? 'INVITE' : (line.trim().split(/\s+/)[0] ?? '')
    const headers: Headers = {
      Via: `SIP/2.0/UDP ${us};branch=z9hG4bK${name}`,
      'Max-Forwards': '70',
      From: `<sip:${number}@caller.invalid>;tag=${name}`,
      To: `<sip:${number}@edge.invalid>`,
      'Call-ID': `${name}.torture`,
      CSeq: `1 ${method}`,
      Contact: `<sip:caller@${us}>`,
      'Content-Length': String(Buffer.byteLength(body)),
      ...changes,
    }
    const lines = Object.entries(headers).flatMap(([key, value]) =>
      [value ?? []].flat().map((one) => (key.endsWith(' ') ? `${key}:${one}` : `${key}: ${one}`)),
    )
    return { name, bytes: Buffer.from([line, ...lines, '', body].join('\r\n')) }
  }
}

const sdp = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 49217 RTP/AVP 0\r\n'
const spelledOtherwise = { Via: undefined, To: undefined, From: undefined, CSeq: undefined, 'Max-Forwards': undefined }
const hasSdp = { 'Content-Type': 'application/sdp' }

// RFC 4475, 3.1.1: odd, but valid.
function validMessages(build: Build, { number, us, third }: TorturePlaces): readonly TortureMessage[] {
  const answered = { To: `<sip:${number}@edge.invalid>;tag=2` }
  return [
    build(
      'wsinv',
      `INVITE sip:${number}@edge.invalid;unknownparam SIP/2.0`,
      {
        ...spelledOtherwise,
        'TO ': `\r\n sip:${number}@edge.invalid ;   tag    = 1918181833n`,
        'from   ': ` "J \\\\\\""       <sip:${number}@caller.invalid>\r\n  ;\r\n  tag = 98asjd8`,
        'MaX-fOrWaRdS': '0068',
        'cseq ': ' 0009\r\n  INVITE',
        'Via  ': ` SIP  /   2.0\r\n /UDP\r\n    ${us};branch=390skdjuw`,
        NewFangledHeader: 'newfangled value\r\n continued newfangled value',
        UnknownHeaderWithUnusualValue: ';;,,;;,;',
        v: `SIP  / 2.0  / TCP     ${third}   ;\r\n  branch  =   z9hG4bK9ikj8  ,\r\n SIP  /    2.0   / UDP  ${third}   ; branch=\r\n z9hG4bK30239`,
        m: `"Quoted string \\"\\"" <sip:j@${third}> ; newparam =\r\n      newvalue ;\r\n  secondparam ; q = 0.33`,
        s: '',
      },
      sdp,
    ),
    build(
      'intmeth',
      `!interesting-Method0123456789_*+\`.%indeed'~ sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@edge.invalid SIP/2.0`,
      {
        To: `"BEL:\x07 NUL:\0 DEL:\x7f" <sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@edge.invalid>`,
        From: `token1~\` token2'+_ token3*%!.- <sip:${number}@caller.invalid>;fromParam''~+*_!.-%="работающий";tag=_token~1'+\`*%!-.`,
        "extensionHeader-!.%*+_`'~": '\xEF\xBB\xBF大停電',
      },
    ),
    build(
      'esc01',
      `INVITE sip:sips%3Auser%40edge.invalid@edge.invalid SIP/2.0`,
      { To: `sip:%75se%72@edge.invalid` },
      sdp,
    ),
    build('escnull', `REGISTER sip:edge.invalid SIP/2.0`, {
      To: `sip:null-%00-${number}@edge.invalid`,
      Contact: ['<sip:%00@caller.invalid>', '<sip:%00%00@caller.invalid>'],
    }),
    build('esc02', `RE%47IST%45R sip:edge.invalid SIP/2.0`, { To: `"%Z%45" <sip:${number}@edge.invalid>` }),
    build('lwsdisp', `OPTIONS sip:${number}@edge.invalid SIP/2.0`, {
      From: `caller<sip:${number}@caller.invalid>;tag=3`,
    }),
    build('semiuri', `OPTIONS sip:user;par=u%40edge.invalid@edge.invalid SIP/2.0`),
    build('transports', `OPTIONS sip:${number}@edge.invalid SIP/2.0`, {
      Via: [
        `SIP/2.0/UDP ${us};branch=z9hG4bKtransports`,
        ...['SCTP', 'TLS', 'UNKNOWN', 'TCP'].map((kind) => `SIP/2.0/${kind} ${third};branch=z9hG4bK${kind}`),
      ],
    }),
    build('unreason', `SIP/2.0 200 = 2**3 * 5**2 но сто девяносто девять - простое`, answered),
    build('noreason', 'SIP/2.0 100 ', answered),
  ]
}

// RFC 4475, 3.1.1: long, doubled and with a body of several parts.
function longMessages(build: Build, { number, us, third }: TorturePlaces): readonly TortureMessage[] {
  const long = 'long'.repeat(60)
  const first = build('dblreq', `REGISTER sip:edge.invalid SIP/2.0`)
  const second = build('dblreq2', `INVITE sip:${number}@${third} SIP/2.0`, hasSdp, sdp)
  const part = '--7a9cbec02ceef655\r\nContent-Type: '
  const parts = `${part}text/plain\r\n\r\n${number}\r\n${part}application/octet-stream\r\nContent-Transfer-Encoding: binary\r\n\r\n\0\x01\x02\x7f\r\n--7a9cbec02ceef655--\r\n`
  return [
    build(
      'longreq',
      `INVITE sip:${number}@edge.invalid SIP/2.0`,
      {
        To: `"I have a user name of ${'extreme '.repeat(10)}proportion" <sip:${number}${long}@edge.invalid:6000;unknownparam1=very${long};longparam${long}=shortvalue;very${long}ParameterNameWithNoValue>`,
        From: `sip:${'amazinglylongcallername'.repeat(5)}@caller.invalid;tag=12${'982'.repeat(50)}424;unknownheaderparamname${long}=unknownheaderparamvalue${long};unknownValueless${long}`,
        'Call-ID': `longreq.one${'really'.repeat(20)}longcallid`,
        [`Unknown-${long}-Name`]: `unknown-${long}-value; unknown-${long}-parameter-name = unknown-${long}-parameter-value`,
        Via: [
          `SIP/2.0/UDP ${us};branch=z9hG4bKlongreq`,
          ...Array.from({ length: 30 }, (_, hop) => `SIP/2.0/TCP sip${hop}.example.invalid`),
          `SIP/2.0/UDP ${third};received=127.0.0.2;branch=very${'long'.repeat(50)}branchvalue`,
        ],
        Contact: `<sip:${'amazinglylongcallername'.repeat(5)}@${third}>`,
      },
      sdp,
    ),
    { name: first.name, bytes: Buffer.concat([first.bytes, second.bytes]) },
    build(
      'mpart01',
      `MESSAGE sip:${number}@edge.invalid SIP/2.0`,
      { 'Content-Type': 'multipart/mixed;boundary=7a9cbec02ceef655' },
      parts,
    ),
  ]
}

// RFC 4475, 3.1.2: what is wrong is in the first line.
function brokenLines(build: Build, { number, third }: TorturePlaces): readonly TortureMessage[] {
  const invite = (name: string, line: string, headers?: Headers) => build(name, line, { ...hasSdp, ...headers }, sdp)
  return [
    invite('ltgtruri', `INVITE <sip:${number}@edge.invalid> SIP/2.0`),
    invite('lwsruri', `INVITE sip:${number}@edge.invalid; lr SIP/2.0`),
    invite('lwsstart', `INVITE  sip:${number}@edge.invalid  SIP/2.0`),
    build('trws', `OPTIONS sip:${number}@edge.invalid SIP/2.0  `),
    invite('escruri', `INVITE sip:${number}@edge.invalid?Route=%3Csip:${third}%3E SIP/2.0`),
    build('badvers', `OPTIONS sip:${number}@edge.invalid SIP/7.0`),
    build('mismatch01', `OPTIONS sip:${number}@edge.invalid SIP/2.0`, { CSeq: '8 INVITE' }),
    build('mismatch02', `NEWMETHOD sip:${number}@edge.invalid SIP/2.0`, { CSeq: '8 INVITE', ...hasSdp }, sdp),
    build('bigcode', 'SIP/2.0 4294967301 better not break the receiver'),
    build('unkscm', 'OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0'),
    build('novelsc', `OPTIONS soap.beep://${third}:3002 SIP/2.0`),
  ]
}

// RFC 4475, 3.1.2: what is wrong is in a header.
function brokenHeaders(build: Build, { number, us, third }: TorturePlaces): readonly TortureMessage[] {
  const line = `INVITE sip:${number}@edge.invalid SIP/2.0`
  const huge = '36893488147419103232'
  return [
    build('badinv01', line, {
      To: `sip:${number}@edge.invalid;tag=5;`,
      Via: `SIP/2.0/UDP ${us};;,;,,`,
      Contact: `"Caller" <sip:caller@${third}>;;;;`,
    }),
    build('clerr', line, { 'Content-Length': '9999', ...hasSdp }, sdp),
    build('ncl', line, { 'Content-Length': '-999', ...hasSdp }, sdp),
    build('scalar02', 'REGISTER sip:edge.invalid SIP/2.0', {
      CSeq: `${huge} REGISTER`,
      'Max-Forwards': '300',
      Expires: '1' + '0'.repeat(80),
      Contact: `<sip:caller@${third}>;expires=280297596632815`,
    }),
    build('scalarlg', 'SIP/2.0 503 Service Unavailable', {
      CSeq: '9292394834772304023312 OPTIONS',
      'Retry-After': '949302838503028349304023988',
      Warning: '1812 overture "In Progress"',
    }),
    build('quotbal', line, { To: `"Mr. User <sip:${number}@edge.invalid>` }),
    build('baddate', line, { Date: 'Fri, 01 Jan 2010 16:00:00 EST' }),
    build('regbadct', 'REGISTER sip:edge.invalid SIP/2.0', {
      Contact: `sip:${number}@${third}?Route=%3Csip:${third}%3E`,
    }),
    build('badaspec', `OPTIONS sip:${number}@edge.invalid SIP/2.0`, { To: `"Watson" < sip:${number}@edge.invalid >` }),
    build('baddn', `OPTIONS sip:${number}@edge.invalid SIP/2.0`, {
      From: `Bell, Alexander <sip:${number}@caller.invalid>;tag=43`,
    }),
    // 3.2: the transaction.
    build('badbranch', `OPTIONS sip:${number}@edge.invalid SIP/2.0`, { Via: `SIP/2.0/UDP ${us};branch=z9hG4bK` }),
  ]
}

// RFC 4475, 3.3 and 3.4: well formed, and unusual for who reads it.
function unusualRequests(build: Build, { number, us, third }: TorturePlaces): readonly TortureMessage[] {
  const line = `INVITE sip:${number}@edge.invalid SIP/2.0`
  const options = `OPTIONS sip:${number}@edge.invalid SIP/2.0`
  return [
    build('insuf', line, { To: undefined, From: undefined, 'Call-ID': undefined }),
    build('bext01', options, {
      'Proxy-Require': 'noProxiesSupportThis, norDoAnyProxiesSupportThis',
      Require: 'nothingSupportsThis, nothingSupportsThisEither',
    }),
    build('invut', line, { 'Content-Type': 'application/unknownformat' }, `<audio>${number}</audio>`),
    build('regaut01', 'REGISTER sip:edge.invalid SIP/2.0', { Authorization: 'NoOneKnowsThisScheme opaque-data=here' }),
    build('multi01', line, {
      CSeq: ['5 INVITE', '59 INVITE'],
      'Call-ID': ['multi01.a', 'multi01.b'],
      From: [`<sip:${number}@caller.invalid>;tag=1`, `<sip:${number}@${third}>;tag=2`],
      To: [`<sip:${number}@edge.invalid>`, `<sip:${number}@${third}>`],
      'Max-Forwards': ['70', '5'],
      'Content-Type': ['application/sdp', 'text/plain'],
    }),
    build(
      'mcl01',
      options,
      { 'Content-Length': ['13', '5'] },
      'There is no way to know how many octets are supposed to be here.',
    ),
    build('bcast', 'SIP/2.0 200 OK', {
      Via: [
        `SIP/2.0/UDP ${us};branch=z9hG4bKbcast`,
        `SIP/2.0/UDP ${third};branch=z9hG4bKthird`,
        'SIP/2.0/UDP 255.255.255.255;branch=z9hG4bKall',
      ],
    }),
    build('zeromf', options, { 'Max-Forwards': '0' }),
    build('sdp01', line, { Accept: 'text/nobodyKnowsThis', ...hasSdp }, sdp),
    build('inv2543', line, {
      Via: `SIP/2.0/UDP ${us}`,
      'Max-Forwards': undefined,
      From: `<sip:${number}@caller.invalid>`,
      'Record-Route': `<sip:${number}@${third};maddr=127.0.0.2>`,
    }),
  ]
}

function unusualHeaders(build: Build, { number, third }: TorturePlaces): readonly TortureMessage[] {
  const register = 'REGISTER sip:edge.invalid SIP/2.0'
  return [
    build('unksm2', register, {
      To: 'isbn:2983792873',
      From: '<http://www.caller.invalid>;tag=3234233',
      Contact: `<name:${number}_${third}>`,
    }),
    build('cparam01', register, { Contact: `sip:+${number}@${third};unknownparam` }),
    build('cparam02', register, { Contact: `<sip:+${number}@${third};unknownparam>` }),
    build('regescrt', register, { Contact: `<sip:${number}@${third}?Route=%3Csip:${third}%3E>` }),
  ]
}

// RFC 5118.
function ipv6Messages(build: Build, { number, us }: TorturePlaces): readonly TortureMessage[] {
  const good = 'REGISTER sip:[2001:db8::10] SIP/2.0'
  const invite = `INVITE sip:${number}@[2001:db8::10] SIP/2.0`
  const via = (more: string) => ({ Via: `SIP/2.0/UDP ${us};branch=z9hG4bKv6${more}` })
  const sdp6 = (address: string) => sdp.replaceAll('IN IP4 127.0.0.1', `IN IP6 ${address}`)
  return [
    build('ipv6-good', good, {
      Via: 'SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKgood',
      Contact: `<sip:${number}@[2001:db8::1]>`,
    }),
    build('ipv6-bad', 'REGISTER sip:2001:db8::10 SIP/2.0', { Via: 'SIP/2.0/UDP [2001:db8::9:1];branch=z9hG4bKbad' }),
    build('port-ambiguous', 'REGISTER sip:[2001:db8::10:5070] SIP/2.0'),
    build('port-unambiguous', 'REGISTER sip:[2001:db8::10]:5070 SIP/2.0'),
    build('via-received-param-with-delim', invite, via(';received=[2001:db8::9:255]')),
    build('via-received-param-no-delim', 'BYE sip:[2001:db8::10] SIP/2.0', via(';received=2001:db8::9:255')),
    build('ipv6-in-sdp', invite, hasSdp, sdp6('2001:db8::20')),
    build('mult-ip-in-header', `BYE sip:${number}@host.example.invalid SIP/2.0`, {
      Via: [
        `SIP/2.0/UDP ${us};branch=z9hG4bKmult`,
        'SIP/2.0/UDP [2001:db8::9:1]:6050;branch=z9hG4bK2;received=192.0.2.200',
      ],
    }),
    build('mult-ip-in-sdp', invite, hasSdp, sdp + 'm=video 6000 RTP/AVP 31\r\nc=IN IP6 2001:db8::1\r\n'),
    build(
      'ipv4-mapped-ipv6',
      invite,
      { ...via(''), Contact: `<sip:${number}@[::ffff:192.0.2.10]:19823>`, ...hasSdp },
      sdp6('::ffff:192.0.2.2'),
    ),
    build('ipv6-bug-abnf-3-colons', `OPTIONS sip:${number}@[2001:db8:::192.0.2.1] SIP/2.0`),
  ]
}
