// deploy/compose/.env.example: the values that an operator sets, and every setting that compose.yaml passes on, with the
// sentences and defaults of server/config.default.env.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const defaultSettings = 'server/config.default.env'

export function composeEnv(repository: string, manual: string): string {
  const passedOn = new Set(settingsPassedOn(repository))
  const sections = manual.split(/^(?=# (?:---|===) )/m).slice(1)
  const kept = sections.flatMap((section) => {
    const [heading = '', ...blocks] = section.trim().split('\n\n')
    if (heading.startsWith('# ===')) return [heading]
    const settings = blocks.filter((block) => passedOn.has(nameIn(block)))
    return settings.length === 0 ? [] : [heading, ...settings.map(commentedOut)]
  })
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { version: string }
  return `${[head(version), ...kept].join('\n\n')}\n`
}

/** Names without a value in compose.yaml: their values come from .env. */
export function settingsPassedOn(repository: string): readonly string[] {
  const compose = readFileSync(join(repository, 'deploy/compose/compose.yaml'), 'utf8')
  return [...compose.matchAll(/^ {2}((?:RINGPROOF|OTEL)_\w+):$/gm)].map(([, name = '']) => name)
}

function nameIn(block: string): string {
  return /^(\w+)=/m.exec(block)?.[1] ?? ''
}

// A default is shown but not set, so that a later release can change it.
function commentedOut(block: string): string {
  return block.replace(/^(\w+=)/m, '#$1')
}

const head = (
  version: string,
) => `# The values of compose.yaml. Copy this file to .env, fill in the passwords, and keep it readable only by you:
# docs/operations/install-compose.md has the commands. This file is generated: npm run generate

# Passwords between the containers, letters and digits only. All are required. Set them before the first start: PostgreSQL
# keeps the ones it was created with. Each process has its own login, and the command line another.
POSTGRES_PASSWORD=
DATABASE_OWNER_PASSWORD=
DATABASE_API_WEB_PASSWORD=
DATABASE_WEBHOOKS_KEEPER_PASSWORD=
DATABASE_CALLS_KEEPER_PASSWORD=
DATABASE_CLI_PASSWORD=
NATS_PASSWORD=
ARI_PASSWORD=

# Address and port of this machine on which the API and the web pages are reached. Plain HTTP: put a TLS proxy in front.
#HTTP_ADDRESS=127.0.0.1:8080

# Address of this machine on which carriers reach SIP (5060, and 5061 for TLS) and audio (UDP 20000 to 20099). Docker opens
# published ports past the machine's own firewall rules: allow only your carriers before you open it.
#SIP_ADDRESS=127.0.0.1

# Where the images come from, and their version.
#IMAGE_PREFIX=localhost/
#VERSION=${version}

# Below is every other setting with its default. Paths are inside the containers: mount files with a compose.override.yaml.`
