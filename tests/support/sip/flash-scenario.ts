// The simplest carrier: it rings until the call is cancelled, and answers OPTIONS. For load tests, where a carrier that
// looks up every number would be measured too.

const common = `[last_Via:]
[last_From:]
[last_To:];tag=[pid]S[call_number]
[last_Call-ID:]`

function reply(line: string, sequence: string, attributes = ''): string {
  return `<send${attributes}><![CDATA[
SIP/2.0 ${line}
${common}
${sequence}
Contact: <sip:[local_ip]:[local_port]>
Content-Length: 0

]]></send>`
}

export const flashScenario = `<?xml version="1.0" encoding="UTF-8" ?>
<scenario name="flash">
<recv request="OPTIONS" optional="true" next="fine"/>
<recv request="INVITE"/>
${reply('180 Ringing', '[last_CSeq:]')}
<recv request="CANCEL"/>
${reply('200 OK', '[last_CSeq:]')}
${reply('487 Request Terminated', 'CSeq: [cseq] INVITE', ' retrans="500"')}
<recv request="ACK" next="end"/>
<label id="fine"/>
${reply('200 OK', '[last_CSeq:]')}
<label id="end"/>
<nop/>
</scenario>
`
