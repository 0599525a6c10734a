// Evaluates the Asterisk of this node and the trunks.

import { isOnList } from '../accounts/client-address.ts'
import { type Transport, type Trunk, type TrunkState, trunkReasons } from '../trunks/trunk.ts'
import { bad, codeOf, counted, type Finding, good, reasonOf, warning } from './finding.ts'
import { asteriskVersionMin, isOlder } from './schema-version.ts'

type Ports = { readonly first: number; readonly last: number }

export type AsteriskFacts = {
  readonly version: string
  readonly missingModules: readonly string[]
  // Of the node, as `asterisk prepare` was given it.
  readonly directory: string
  // The transports that Asterisk runs with. The address is empty if none is announced.
  readonly transports: readonly { readonly name: string; readonly announced: string }[]
  // Undefined if its configuration cannot be read from here.
  readonly rtpPorts: Ports | undefined
}

type TelephonySettings = {
  readonly sipPublicAddress: string | undefined
  readonly sipLocalNetworks: readonly string[]
  readonly sipTransports: readonly Transport[]
  readonly sipPort: number
  readonly sipTlsPort: number
  readonly rtpPorts: Ports
}

// How a carrier sees us, from its response to an OPTIONS of ours.
export type SeenAddress = {
  readonly trunk: string
  readonly carrier: string
  // Where our packets come from, in the eyes of the carrier and of this machine.
  readonly received: string
  readonly local: string
}

const defaultDirectory = '/var/lib/ringproof/asterisk'

export function evaluateAsterisk(subject: string, facts: AsteriskFacts): readonly Finding[] {
  const { version, missingModules, directory } = facts
  const server = isOlder(version, asteriskVersionMin)
    ? bad(
        'asterisk',
        subject,
        `Asterisk ${version} is too old: ${asteriskVersionMin} or newer is needed.`,
        'apt-get install asterisk',
      )
    : good('asterisk', subject, `Asterisk ${version} responds.`)
  const modules =
    missingModules.length > 0
      ? bad('asterisk-modules', subject, `Asterisk does not run ${missingModules.join(', ')}.`, preparing(directory))
      : good('asterisk-modules', subject, 'Every module that calls need is running.')
  return [server, modules]
}

export function unreachableAsterisk(subject: string, error: unknown): Finding {
  const reason = reasonOf(error)
  const fix = /status 401/.test(reason)
    ? preparing(defaultDirectory)
    : codeOf(error) === 'ECONNREFUSED'
      ? `asterisk -f -C ${defaultDirectory}/etc/asterisk.conf`
      : /did not respond within|no result within|no response in time/.test(reason)
        ? restarting(defaultDirectory)
        : 'correct RINGPROOF_ARI_URL, and RINGPROOF_ARI_CA_FILE for https'
  return bad('asterisk', subject, `Asterisk cannot be used, so this node places no calls: ${reason}.`, fix)
}

// What Asterisk writes into Contact and SDP must be what the settings say, and where carriers see us.
export function evaluatePublicAddress(
  subject: string,
  { sipPublicAddress, sipLocalNetworks }: TelephonySettings,
  { transports, directory }: AsteriskFacts,
  seen: readonly SeenAddress[],
): Finding {
  const wanted = sipPublicAddress ?? ''
  const stale = transports.find(({ announced }) => announced !== wanted)
  if (stale) {
    const [running, set] = [stale.announced || 'its own address', wanted || 'none']
    const cause = `Asterisk announces ${running} in Contact and SDP over ${stale.name}, but RINGPROOF_SIP_PUBLIC_ADDRESS is ${set}.`
    return bad('public-address', subject, cause, preparing(directory))
  }
  const wrong = seen
    .filter(({ carrier }) => !isOnList(sipLocalNetworks, carrier))
    .find(({ received, local }) => received !== (wanted || local))
  if (wrong) {
    const cause = `The carrier of trunk ${wrong.trunk} sees us at ${wrong.received}, but Contact and SDP say ${wanted || wrong.local}: audio and inbound calls do not arrive.`
    return bad(
      'public-address',
      subject,
      cause,
      `RINGPROOF_SIP_PUBLIC_ADDRESS=${wrong.received} ${preparing(directory)}`,
    )
  }
  const confirmed = seen.length === 0 ? 'no carrier says otherwise' : `${counted(seen.length, 'carrier')} confirmed it`
  return good(
    'public-address',
    subject,
    `Contact and SDP say ${wanted || 'the address of this machine'}; ${confirmed}.`,
  )
}

// Every answered call needs two ports: RTP and RTCP.
export function evaluateRtpPorts(
  subject: string,
  settings: TelephonySettings,
  facts: Pick<AsteriskFacts, 'rtpPorts' | 'directory'>,
  trunks: readonly Trunk[],
): Finding {
  const { rtpPorts, sipPort, sipTlsPort } = settings
  const shown = `${rtpPorts.first}-${rtpPorts.last}`
  const running = facts.rtpPorts
  if (running && (running.first !== rtpPorts.first || running.last !== rtpPorts.last)) {
    const cause = `Asterisk uses the RTP ports ${running.first}-${running.last}, but RINGPROOF_RTP_PORTS is ${shown}: a firewall may drop the audio.`
    return bad('rtp-ports', subject, cause, preparing(facts.directory))
  }
  const taken = [sipPort, sipTlsPort].find((port) => port >= rtpPorts.first && port <= rtpPorts.last)
  if (taken !== undefined) {
    const cause = `The RTP ports ${shown} contain the SIP port ${taken}.`
    return bad('rtp-ports', subject, cause, `RINGPROOF_RTP_PORTS=20000-29999 ${preparing(facts.directory)}`)
  }
  const channels = trunks.filter(({ isOn }) => isOn).reduce((sum, trunk) => sum + trunk.channels, 0)
  const calls = Math.floor((rtpPorts.last - rtpPorts.first + 1) / 2)
  if (calls >= channels)
    return good('rtp-ports', subject, `The RTP ports ${shown} are enough for ${channels} channels.`)
  const cause = `The RTP ports ${shown} are enough for ${calls} answered calls, but the trunks have ${channels} channels.`
  const last = Math.min(65_535, rtpPorts.first + 2 * channels - 1)
  return warning(
    'rtp-ports',
    subject,
    cause,
    `RINGPROOF_RTP_PORTS=${rtpPorts.first}-${last} ${preparing(facts.directory)}`,
  )
}

// As the live nodes report it.
export function evaluateTrunk(
  { name, isOn, isDraining, address }: Trunk,
  states: readonly (TrunkState & { readonly node: string })[],
): Finding {
  if (!isOn) return good('trunks', name, 'It is switched off.')
  if (isDraining) return good('trunks', name, 'It is draining: no new calls.')
  if (address === '') return good('trunks', name, 'It has no carrier: calls are simulated.')
  const down = states.find(({ isUp }) => !isUp)
  if (down) return bad('trunks', name, `Node ${down.node}: ${down.reason}.`, trunkFix(name, down.reason))
  if (states.length === 0) {
    const cause = 'No node has reported on it in the last 30 seconds, so no call goes over it.'
    return bad('trunks', name, cause, 'ringproof serve --roles calls')
  }
  return good('trunks', name, `${states.map(({ node, reason }) => `Node ${node}: ${reason}`).join('; ')}.`)
}

function trunkFix(name: string, reason: string): string {
  if (reason.includes(trunkReasons.rejected)) {
    return `ringproof trunks set ${name} --user NAME --password-file FILE`
  }
  // Found in its calls: only one of them shows what to change.
  if (/SIP \d{3}$|before a phone rings$|after dialling$/.test(reason))
    return `ringproof trunks test ${name} --to YOUR-PHONE`
  if (reason.startsWith(trunkReasons.unbound)) return preparing(defaultDirectory)
  if (reason === trunkReasons.lost) return restarting(defaultDirectory)
  if (reason === trunkReasons.unknown) return 'ringproof trunks list, after a few seconds'
  return `ringproof trunks set ${name} --address HOST:PORT, or open the firewall for SIP`
}

export function evaluateTrunks(trunks: readonly Trunk[], stoppedFor: string | undefined): readonly Finding[] {
  if (stoppedFor !== undefined) {
    return [bad('trunks', '', `All trunks are stopped: ${stoppedFor}.`, 'ringproof trunks resume-all')]
  }
  if (trunks.some(({ isOn, isTest }) => isOn && !isTest)) return []
  const fix = 'ringproof trunks add NAME --address HOST:PORT --channels N --calls-per-second N'
  return [warning('trunks', '', 'No trunk is switched on, so calls to real numbers get code 5.', fix)]
}

// At once: it may never become idle.
function restarting(directory: string): string {
  return `asterisk -C ${directory}/etc/asterisk.conf -rx "core restart now"`
}

// Restarts Asterisk between calls.
function preparing(directory: string): string {
  return `ringproof asterisk prepare ${directory} && asterisk -C ${directory}/etc/asterisk.conf -rx "core restart when convenient"`
}
