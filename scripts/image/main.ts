// Runs as `npm run image`: builds every image for this machine's architecture, or for those that are named:
//
//   npm run image -- amd64 arm64
//
// The archives are for `docker load`.

import { relative } from 'node:path'
import { architectures, thisArchitecture } from './architecture.ts'
import { buildImages, imageNames } from './build.ts'
import { repository } from './program.ts'
import { installImageTools } from './tools.ts'

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

async function main(named: readonly string[]): Promise<void> {
  const unknown = named.find((name) => !architectures.some((known) => known === name))
  if (unknown !== undefined) throw new Error(`Unknown architecture: ${unknown}. Use ${architectures.join(' or ')}.`)
  await installImageTools()
  const chosen = architectures.filter((name) =>
    named.length === 0 ? name === thisArchitecture() : named.includes(name),
  )
  for (const architecture of chosen) {
    const images = await buildImages(imageNames, architecture, (line) => process.stdout.write(`${line}\n`))
    for (const { reference, id, archive } of images) {
      process.stdout.write(`${reference} ${architecture} ${id.slice(0, 12)} ${relative(repository, archive)}\n`)
    }
  }
}
