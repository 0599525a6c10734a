// The subscribers' network of the stack: a second Asterisk with the same programs and configuration, whose handsets the server
// drives. It has its own loopback address, because a trunk is identified by the IP address of its calls.

import { join } from 'node:path'
import { renderAsteriskConfig } from '../../../server/src/telephony/asterisk/config.ts'
import { type State, stackDirectory } from '../state.ts'
import { askAri, asterisk, asteriskCommand, localAsteriskConfig } from './asterisk.ts'
import type { Part } from './part.ts'

const phonesHost = '127.0.0.2'

export const phones: Part = {
  name: 'phones',
  title: 'Phones (Asterisk)',
  stopSignal: 'SIGTERM',
  install: asterisk.install,
  prepare: async (state) => asteriskCommand(renderAsteriskConfig(configOf(state))),
  probe: async ({ ports, passwords }) => askAri(ports.phones, passwords.phones),
  environment: ({ ports, passwords }) => [
    ['RINGPROOF_PHONES_ARI_URL', `http://127.0.0.1:${ports.phones}`],
    ['RINGPROOF_PHONES_ARI_PASSWORD', passwords.phones],
    ['RINGPROOF_PHONES_PEER', `127.0.0.1:${ports.sip}`],
  ],
}

/** The SIP address that a test trunk of this stack leads to. */
export function phonesAddress({ ports }: State): string {
  return `${phonesHost}:${ports.phonesSip}`
}

function configOf({ ports, passwords }: State) {
  const place = { directory: join(stackDirectory, 'phones'), node: 'phones', ariPort: ports.phones }
  const sip = { sipPort: ports.phonesSip, sipTlsPort: ports.phonesSipTls, hepPort: ports.phones }
  return { ...localAsteriskConfig({ ...place, ...sip, ariPassword: passwords.phones }), sipHost: phonesHost }
}
