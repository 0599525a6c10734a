import { resumeAllTrunks, stopAllTrunks } from '../../actions/protection/stop-calls.ts'
import { testTrunk } from '../../actions/trunks/trunk-tests.ts'
import { addTrunk, type ListedTrunk, listTrunks, removeTrunk, setTrunk } from '../../actions/trunks/trunks.ts'
import type { TrunkStop } from '../../db/protection/trunk-stop.ts'
import { nonceBytes } from '../../domain/crypto/sealing.ts'
import { mask, type PhoneNumber } from '../../domain/numbers/phone-number.ts'
import {
  confirmedToEnforce,
  optionsOf,
  sealTrunkPassword,
  type Trunk,
  testTrunk as testLine,
  trunkDefaults,
} from '../../domain/trunks/trunk.ts'
import { explain } from '../../domain/verifications/call-explanation.ts'
import { outcomeOf } from '../../domain/verifications/call-outcome.ts'
import { describePlacedCall } from '../../domain/verifications/describe-verification.ts'
import { needsReturnPath } from '../../domain/verifications/inbound-call.ts'
import { UsageError } from '../../process/errors.ts'
import type { CliCommand, CommandResult, DatabaseContext } from '../core/context.ts'
import { table } from '../core/table.ts'
import { addTrialCommand } from './trial.ts'
import { addTrunkOptions, assertNothingMissing, parseTrunkOptions, type TrunkOptions } from './trunk-options.ts'

export function addTrunkCommands(program: CliCommand): void {
  const trunks = program.command('trunks').description('Manage SIP trunks to carriers.')

  addTrunkOptions(trunks.command('add'))
    .description('Add a trunk. It is used once it has caller numbers.')
    .argument('<name>', 'name of the trunk')
    .work(add)

  addTrunkOptions(trunks.command('set'))
    .description('Change a trunk. Options that are not given stay as they are; active calls are not affected.')
    .argument('<name>', 'name of the trunk')
    .option('--state <on|drain|off>', 'drain: no new calls, while calls in progress and inbound calls go on')
    .work(set)

  trunks
    .command('list')
    .description('List all trunks with their state, in the order in which they are tried.')
    .work(list)

  trunks
    .command('test')
    .description('Place one flash call through the switch of this machine and report its progress.')
    .argument('<name>', 'name of the trunk')
    .requiredOption('--to <digits>', 'number to call, with country code and without +')
    .option('--from <digits>', 'caller ID to show; default: the first caller number of the trunk')
    .work(test)

  addTrialCommand(trunks)

  trunks
    .command('stop-all')
    .description('Stop all outgoing calls: initCall returns code 5. Active calls and inbound calls continue.')
    .requiredOption('--reason <text>', 'reason, shown in the action log and in trunks list')
    .work(stopAll)

  trunks.command('resume-all').description('Resume outgoing calls after stop-all.').work(resumeAll)

  trunks
    .command('remove')
    .description('Remove a trunk.')
    .argument('<name>', 'name of the trunk')
    .option('--with-numbers', 'also remove its numbers')
    .work(remove)
}

async function add(open: DatabaseContext, name: string, options: TrunkOptions): Promise<CommandResult> {
  if (!/^[a-z0-9-]{1,32}$/.test(name))
    throw new UsageError(`Invalid trunk name: ${name}. Use 1 to 32 of a-z, 0-9 and -.`)
  if (name === testLine) throw new UsageError(`${testLine} is reserved for test numbers. Choose another name.`)
  const { changes, password } = parseTrunkOptions(options)
  assertNothingMissing(changes)
  const passwordSealed =
    password === undefined ? null : sealTrunkPassword(open.recordKeys, name, password, open.randomBytes(nonceBytes))
  const trunk = { ...trunkDefaults, ...changes, name, passwordSealed }
  await addTrunk(open, open.actor, trunk)
  return {
    json: { trunk: name, warnings: trunkWarnings(trunk) },
    text: `${[`Trunk ${name} added.`, ...trunkWarnings(trunk)].join('\n')}\nNext: ringproof numbers add-range --trunk ${name} --country … --first … --last …`,
  }
}

async function set(
  open: DatabaseContext,
  name: string,
  options: TrunkOptions & { state?: string },
): Promise<CommandResult> {
  const { changes, password } = parseTrunkOptions(options)
  const { state } = options
  if (state !== undefined && state !== 'on' && state !== 'drain' && state !== 'off')
    throw new UsageError(`--state takes on, drain or off, not "${state}".`)
  const use = state === undefined ? {} : { isOn: state !== 'off', isDraining: state === 'drain' }
  const trunk = await setTrunk(open, open.actor, { name, changes: { ...changes, ...use }, password })
  const warnings = trunkWarnings(trunk)
  return {
    json: { trunk: name, warnings },
    text: [`Trunk ${name} changed. Every node applies it within seconds.`, ...warnings].join('\n'),
  }
}

async function list(open: DatabaseContext): Promise<CommandResult> {
  const { trunks, stop } = await listTrunks(open)
  const heads = ['TRUNK', 'STATE', 'PRIORITY', 'COUNTRIES', 'CHANNELS', 'CALLS/S', 'RING S', 'EARLY MEDIA', 'NUMBERS']
  const rows = trunks.map((trunk) => [
    trunk.name,
    trunk.isTest ? `${useOf(trunk)}, test` : useOf(trunk),
    String(trunk.priority),
    trunk.countries.join(','),
    String(trunk.channels),
    String(trunk.callsPerSecond),
    String(trunk.ringSeconds ?? 'default'),
    onOrOff(trunk.countsEarlyMedia),
    String(trunk.callerNumbers),
    `${trunk.transport}, ${returnPathState(trunk)}`,
    carrierWords(trunk),
  ])
  return {
    json: trunks.map((trunk) => ({
      ...facts(trunk),
      all_stopped: stop !== undefined,
      stop_reason: stop?.reason ?? null,
    })),
    text:
      rows.length === 0
        ? 'There are no trunks yet. Add one: ringproof trunks add NAME …'
        : `${stopSentence(stop)}${[table([...heads, 'INBOUND', 'CARRIER'], rows), ...trunks.flatMap(trunkWarnings)].join('\n')}`,
  }
}

function stopSentence(stop: TrunkStop | undefined): string {
  if (!stop) return ''
  return `ALL TRUNKS STOPPED since ${stop.stoppedAt.toISOString()}: ${stop.reason}\nResume: ringproof trunks resume-all\n`
}

function returnPathState(trunk: ListedTrunk): string {
  if (!needsReturnPath(trunk)) return 'no ACK needed'
  const counts = `${trunk.confirmedCalls} confirmed, ${trunk.unconfirmedCalls} not`
  return trunk.returnPath === 'record'
    ? `record until ${confirmedToEnforce} confirmed: ${counts}`
    : `enforce: ${counts}`
}

// Unsafe settings that the operator has chosen.
function trunkWarnings(trunk: Trunk): readonly string[] {
  const plainAudio =
    `WARNING: trunk ${trunk.name} sends unencrypted audio although its signalling uses TLS: a spoken code can be intercepted. Use ` +
    '--srtp on if the carrier offers SRTP.'
  if (trunk.transport === 'tls' && !trunk.srtp) return [plainAudio]
  if (!trunk.allowsRelay || !needsReturnPath(trunk)) return []
  return [
    `WARNING: trunk ${trunk.name} accepts inbound calls over UDP through a relay (--allow-relay on): a forged packet can verify ` +
      'any number if the relay forwards our reply. Use --transport tcp or tls, or --allow-relay off.',
  ]
}

// As the live nodes report it.
function carrierWords({ isOn, address, states }: ListedTrunk): string {
  if (address === '') return 'no address'
  if (!isOn || states.length === 0) return `${address}: no report from a node`
  return states.map(({ node, isUp, reason }) => `${isUp ? 'up' : 'DOWN'} at ${node}: ${reason}`).join('; ')
}

function facts(trunk: ListedTrunk): Record<string, unknown> {
  const { isTest, ...options } = optionsOf(trunk)
  return {
    trunk: trunk.name,
    state: useOf(trunk),
    ...Object.fromEntries(
      Object.entries({ ...options, test: isTest }).map(([name, value]) => [snakeCase(name), value]),
    ),
    return_path: needsReturnPath(trunk) ? trunk.returnPath : 'not needed',
    caller_numbers: trunk.callerNumbers,
    confirmed_calls: trunk.confirmedCalls,
    unconfirmed_calls: trunk.unconfirmedCalls,
    warnings: trunkWarnings(trunk),
    carrier: trunk.states.map(({ node, isUp, reason }) => ({ node, up: isUp, reason })),
  }
}

async function test(
  open: DatabaseContext,
  name: string,
  options: { to: string; from?: string },
): Promise<CommandResult> {
  const to = parseNumber('--to', options.to)
  const shown = options.from === undefined ? undefined : parseNumber('--from', options.from)
  const { trunk, from, progress } = await testTrunk(open, { name, to, from: shown })
  const { succeeded, reason } = outcomeOf('flash', progress, trunk.countsEarlyMedia)
  const description = `Call to ${mask(to)} over ${name} from ${from}: ${describePlacedCall(progress, reason)}.`
  const explanation = explain(reason, progress.status ?? null)
  const advice = explanation && `${explanation.cause} At fault: ${explanation.atFault}. ${explanation.advice}`
  return {
    json: {
      trunk: name,
      phone: mask(to),
      caller_number: Number(from),
      succeeded,
      reason,
      ...progress,
      progress: description,
      ...explanation,
    },
    text: `${description}\n${advice}`,
  }
}

async function stopAll(open: DatabaseContext, { reason }: { reason: string }): Promise<CommandResult> {
  const isNew = await stopAllTrunks(open, open.actor, { reason })
  return {
    json: { all_stopped: true, changed: isNew },
    text: isNew
      ? 'All trunks stopped. Every process applies it within a second. Resume: ringproof trunks resume-all'
      : 'All trunks were already stopped; the first reason is kept. See ringproof trunks list.',
  }
}

async function resumeAll(open: DatabaseContext): Promise<CommandResult> {
  const stop = await resumeAllTrunks(open, open.actor)
  return {
    json: { all_stopped: false, changed: stop !== undefined },
    text: stop
      ? `Calls resumed. Every process applies it within a second. They were stopped since ${stop.stoppedAt.toISOString()}: ${stop.reason}`
      : 'Calls were not stopped.',
  }
}

async function remove(open: DatabaseContext, name: string, options: { withNumbers?: true }): Promise<CommandResult> {
  await removeTrunk(open, open.actor, { name, withNumbers: options.withNumbers === true })
  return { json: { trunk: name }, text: `Trunk ${name} removed.` }
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function useOf({ isOn, isDraining }: Trunk): string {
  return isOn && isDraining ? 'draining' : onOrOff(isOn)
}

function onOrOff(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}

function parseNumber(option: string, text: string): PhoneNumber {
  if (!/^[1-9]\d{6,14}$/.test(text)) {
    throw new UsageError(`${option} takes 7 to 15 digits with country code and without +, not "${text}".`)
  }
  return text as PhoneNumber
}
