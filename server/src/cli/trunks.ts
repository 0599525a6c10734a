import type { Command } from 'commander'
import { addTrunk } from '../actions/add-trunk.ts'
import { listTrunks } from '../actions/list-trunks.ts'
import { testTrunk } from '../domain/call-order.ts'
import { isCountryCode } from '../domain/country.ts'
import { plainTrunk } from '../domain/routing.ts'
import { anyCountry } from '../domain/tariff.ts'
import { OperatorMistake } from '../errors.ts'
import { type Answer, type Hand, type OpenHand, onRecord } from './hand.ts'
import { table } from './table.ts'

export function addTrunkCommands(program: Command, hand: Hand): void {
  const trunks = program.command('trunks').description('Connections to carriers.')

  trunks
    .command('add')
    .description('Add a trunk. Calls go over it once it has caller numbers.')
    .argument('<name>', 'what the switch calls it')
    .requiredOption('--channels <n>', 'calls at once, over all nodes')
    .requiredOption('--calls-per-second <n>', 'new calls a second, over all nodes')
    .option('--countries <codes>', 'which it serves, such as RU,KZ, or * for all', anyCountry)
    .option('--position <n>', 'trunks are tried from the lowest to the highest', '100')
    .option('--ring-seconds <n>', 'how long a flash call rings, 1 to 20, or default', 'default')
    .option('--counts-early-media <on|off>', 'whether an announcement (183) counts as ringing', 'off')
    .option('--json', 'answer in JSON')
    .action(onRecord(hand, add))

  trunks
    .command('list')
    .description('Show all trunks, in the order in which they are tried.')
    .option('--json', 'answer in JSON')
    .action(onRecord(hand, list))
}

type AddOptions = {
  channels: string
  callsPerSecond: string
  countries: string
  position: string
  ringSeconds: string
  countsEarlyMedia: string
}

async function add(open: OpenHand, name: string, options: AddOptions): Promise<Answer> {
  if (!/^[a-z0-9-]{1,32}$/.test(name)) throw new OperatorMistake('the name of a trunk is 1 to 32 of a-z, 0-9 and -')
  if (name === testTrunk)
    throw new OperatorMistake(`${testTrunk} is where test numbers are played; choose another name`)
  await addTrunk(open, open.actor, {
    ...plainTrunk,
    name,
    position: parseWhole('--position', options.position, 0, 1_000_000),
    countries: parseCountries(options.countries),
    channels: parseWhole('--channels', options.channels, 1, 1_000_000),
    callsPerSecond: parseRate(options.callsPerSecond),
    countsEarlyMedia: parseSwitch(options.countsEarlyMedia),
    ringSeconds: parseRingSeconds(options.ringSeconds),
  })
  return {
    json: { trunk: name },
    text: `Trunk ${name} is added.\nNext: ringproof numbers add-range --trunk ${name} --country … --first … --last …`,
  }
}

async function list(open: OpenHand): Promise<Answer> {
  const trunks = await listTrunks(open)
  const heads = ['TRUNK', 'STATE', 'POSITION', 'COUNTRIES', 'CHANNELS', 'CALLS/S', 'RING S', 'EARLY MEDIA', 'NUMBERS']
  const rows = trunks.map((trunk) => [
    trunk.name,
    onOrOff(trunk.isOn),
    String(trunk.position),
    trunk.countries.join(','),
    String(trunk.channels),
    String(trunk.callsPerSecond),
    String(trunk.ringSeconds ?? 'default'),
    onOrOff(trunk.countsEarlyMedia),
    String(trunk.callerNumbers),
  ])
  return {
    json: trunks.map((trunk) => ({
      trunk: trunk.name,
      state: onOrOff(trunk.isOn),
      position: trunk.position,
      countries: trunk.countries,
      channels: trunk.channels,
      calls_per_second: trunk.callsPerSecond,
      ring_seconds: trunk.ringSeconds,
      counts_early_media: trunk.countsEarlyMedia,
      caller_numbers: trunk.callerNumbers,
    })),
    text: rows.length === 0 ? 'There are no trunks yet. Add one: ringproof trunks add NAME …' : table(heads, rows),
  }
}

function onOrOff(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}

function parseWhole(option: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < min || value > max) {
    throw new OperatorMistake(`${option} takes a whole number from ${min} to ${max}`)
  }
  return value
}

// A carrier may allow less than one a second.
function parseRate(text: string): number {
  const value = Number(text)
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || value === 0) {
    throw new OperatorMistake('--calls-per-second takes a number above 0, such as 25 or 0.5')
  }
  return value
}

function parseCountries(text: string): readonly string[] {
  const countries = [...new Set(text.split(',').map((code) => code.trim()))]
  if (text !== anyCountry && !countries.every(isCountryCode)) {
    throw new OperatorMistake('--countries takes the two capital letters of ISO 3166, such as RU,KZ, or *')
  }
  return countries
}

function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new OperatorMistake('--counts-early-media takes on or off')
  return text === 'on'
}

function parseRingSeconds(text: string): number | null {
  if (text === 'default') return null
  return parseWhole('--ring-seconds', text, 1, 20)
}
