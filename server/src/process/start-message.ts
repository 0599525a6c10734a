// What a person reads in the terminal once the process serves. It goes to standard error, and only to a terminal: the log on
// standard output stays JSON lines, whatever collects both.

import type { Config } from './config/config.ts'

type Addresses = Pick<Config, 'publicUrl' | 'httpHost' | 'httpAltPort' | 'metricsHost' | 'metricsPort' | 'switch'>

export function startMessage(config: Addresses, roles: readonly string[], version: string): string {
  const isApi = roles.includes('api')
  const lines = [
    ...(isApi ? [`API      ${config.publicUrl}/v1.0`, `Docs     ${config.publicUrl}/docs`] : []),
    ...(isApi && config.httpAltPort ? [`Plain    http://${hostOf(config.httpHost)}:${config.httpAltPort}/v1.0`] : []),
    ...(config.metricsPort ? [`Metrics  http://${hostOf(config.metricsHost)}:${config.metricsPort}/metrics`] : []),
    `Roles    ${roles.join(', ')}`,
    ...(roles.includes('calls') ? [`Phones   ${phones[config.switch ?? 'none']}`] : []),
  ]
  return `\nRingproof ${version} is ready. Stop it with Ctrl-C.\n\n${lines.map((line) => `  ${line}\n`).join('')}\n`
}

const phones = {
  fake: 'simulated: no real phone rings. Change it with RINGPROOF_SWITCH.',
  asterisk: 'Asterisk',
  none: 'none: no call can be placed. Set RINGPROOF_SWITCH.',
} as const

// An IPv6 address in a URL is in brackets.
function hostOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}
