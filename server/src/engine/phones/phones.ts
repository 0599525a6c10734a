// Drives the virtual phones as real SIP handsets, and executes what pages ask of them.

import type { SlotMap } from '../../db/core/slot-map.ts'
import { readFaults, readPhone } from '../../db/phones/virtual-phone.ts'
import type { PhoneNumber } from '../../domain/numbers/phone-number.ts'
import type { PhoneCommand, PhoneReply, VirtualPhone } from '../../domain/phones/virtual-phone.ts'
import type { Clock } from '../../process/clock.ts'
import type { Config } from '../../process/config/config.ts'
import type { Logger } from '../../process/log/log.ts'
import { createPhones } from '../../telephony/asterisk/phones.ts'
import type { Bus } from '../core/bus.ts'
import { servePhoneCommands } from './phone-commands.ts'

type Deps = {
  readonly config: Pick<Config, 'phonesAriUser' | 'phonesAriPassword' | 'phonesNode' | 'phonesPeer'>
  readonly slots: SlotMap
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Logger
}

export function startPhones(
  { config, slots, bus, clock, log }: Deps,
  url: string,
): { readonly close: () => Promise<void> } {
  const phones = createPhones({
    url,
    user: config.phonesAriUser,
    password: config.phonesAriPassword ?? '',
    node: config.phonesNode,
    peer: config.phonesPeer,
    phoneOf: (number) => readVirtualPhone(slots, number),
    clock,
    log,
  })
  const execute = async (command: PhoneCommand): Promise<PhoneReply> => {
    if (command.do === 'dial') return { status: await phones.dial(command) }
    return { status: (await phones.act(command)) ? 200 : 404 }
  }
  const commands = servePhoneCommands(bus, execute, log)
  return {
    close: async () => {
      await commands.close()
      await phones.close()
    },
  }
}

async function readVirtualPhone({ globalDatabase }: SlotMap, number: PhoneNumber): Promise<VirtualPhone | undefined> {
  const phone = await readPhone(globalDatabase, number)
  return phone && { state: phone.state, faults: await readFaults(globalDatabase, phone.accountId) }
}
