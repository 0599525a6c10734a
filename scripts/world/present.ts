// What the world does while the demo runs: who calls next, and which incident is on. As in the past, the same seed gives the same calls.

import type { CallMode } from '@ringproof/contract/methods.ts'
import type { PhoneNumber } from '../../server/src/domain/numbers/phone-number.ts'
import { type CustomerName, customers } from './cast.ts'
import { type Draw, pick } from './random.ts'
import { holderOf, subscriberNumber } from './subscribers.ts'

type Incident = 'none' | 'provider-falls' | 'pumping'

type NextCall = {
  readonly customer: CustomerName
  readonly phone: PhoneNumber
  readonly mode: CallMode
  readonly client: string
}

// A provider falls for long enough to be noticed, and is then left in peace until its traffic has returned.
const cycleMinutes = 40
const incidents: readonly { readonly from: number; readonly until: number; readonly incident: Incident }[] = [
  { from: 3, until: 9, incident: 'provider-falls' },
  { from: 14, until: 18, incident: 'pumping' },
  { from: 30, until: 34, incident: 'pumping' },
]

export function incidentAt(minute: number): Incident {
  const inCycle = minute % cycleMinutes
  return incidents.find(({ from, until }) => from <= inCycle && inCycle < until)?.incident ?? 'none'
}

const callers: Readonly<Partial<Record<CustomerName, number>>> = { shop: 0.38, delivery: 0.34, bank: 0.2, forum: 0.08 }
const fallenShare = 0.86

export function nextCall(draw: Draw, nth: number, incident: Incident): NextCall {
  const key = `present ${nth}`
  const isPumped = incident === 'pumping' && draw(key, 'pumped') < 0.4
  const customer = isPumped ? 'forum' : pick(callers, draw(key, 'customer'))
  const mode = draw(key, 'mode') < 0.97 ? 'flash' : 'voice'
  const line = isPumped ? 660 + (nth % 10) : Math.floor(draw(key, 'line') * 1_000)
  const number = subscriberNumber(draw, key, line, mode, isPumped ? 'Cedar' : undefined)
  const person = Math.floor(draw(key, 'person') * 90_000) + 10_000
  const { client } = customers[customer]
  return {
    customer,
    phone: overSip(number, incident === 'provider-falls' && draw(key, 'falls') < fallenShare),
    mode,
    client: client === 'none' ? '' : `${client} ${person}`,
  }
}

// How long a network takes, as the scripted carrier does it.
const slow = { Polar: '911', Volga: '914', Amber: '912', Cedar: '915' } as const
const ill = '913'

function overSip(phone: PhoneNumber, isFalling: boolean): PhoneNumber {
  if (!phone.endsWith('180')) return phone
  const holder = holderOf(phone)
  const scenario = isFalling && holder === 'Volga' ? ill : slow[holder]
  return `${phone.slice(0, -3)}${scenario}` as PhoneNumber
}
