// What a page asks of a real handset, over NATS: the process that drives the handsets replies. It is not stored: a handset that
// nobody drives now is of no use later.

import type { Msg } from '@nats-io/transport-node'
import type { CommandPhone, PhoneCommand, PhoneReply } from '../../domain/phones/virtual-phone.ts'
import type { Logger } from '../../process/log/log.ts'
import type { Bus } from '../core/bus.ts'
import { requestReply } from '../core/request-reply.ts'

// A call to a confirmation number rings for a second before it is rejected.
const replyTimeoutMs = 10_000

export function createCommandPhone(bus: Pick<Bus, 'connection' | 'names' | 'isUp'>): CommandPhone {
  return async (command) => {
    const reply = await requestReply(bus, bus.names.phoneSubject, command, replyTimeoutMs)
    return reply?.json<PhoneReply>()
  }
}

// Without NATS nothing reaches a handset.
export const noPhones: CommandPhone = async () => undefined

// At most one process executes a command.
export function servePhoneCommands(
  { connection, names }: Pick<Bus, 'connection' | 'names'>,
  execute: (command: PhoneCommand) => Promise<PhoneReply>,
  log: Logger,
): { readonly close: () => Promise<void> } {
  const respond = async (message: Msg) => {
    try {
      message.respond(JSON.stringify(await execute(message.json<PhoneCommand>())))
    } catch (err) {
      log.warn({ err }, 'phone command failed')
    }
  }
  const callback = (error: Error | null, message: Msg) => void (error ?? respond(message))
  const subscription = connection.subscribe(names.phoneSubject, { queue: 'phones', callback })
  return { close: async () => subscription.unsubscribe() }
}
