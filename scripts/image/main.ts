// Runs as `npm run image`: builds every image of an installation for this machine's architecture, or what is named:
//
//   npm run image -- amd64 arm64
//   npm run image -- demo arm64       the image that has everything, to look at it
//
// The archives are for `docker load`.

import { relative } from 'node:path'
import { architectures, thisArchitecture } from './architecture.ts'
import { buildImages, imageNames, installedImages } from './build.ts'
import { repository } from './program.ts'
import { installImageTools } from './tools.ts'

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

async function main(named: readonly string[]): Promise<void> {
  const kinds = imageNames.map((name) => name.replace('ringproof-', ''))
  const unknown = named.find((name) => ![...architectures, ...kinds].includes(name))
  if (unknown !== undefined) {
    throw new Error(
      `There is no ${unknown}. Name images (${kinds.join(', ')}) or architectures (${architectures.join(', ')}).`,
    )
  }
  await installImageTools()
  const chosen = architectures.filter((name) => named.includes(name))
  const names = imageNames.filter((_, at) => named.includes(kinds[at] ?? ''))
  for (const architecture of chosen.length === 0 ? [thisArchitecture()] : chosen) {
    const images = await buildImages(names.length === 0 ? installedImages : names, architecture, (line) =>
      process.stdout.write(`${line}\n`),
    )
    for (const { reference, id, archive } of images) {
      process.stdout.write(`${reference} ${architecture} ${id.slice(0, 12)} ${relative(repository, archive)}\n`)
    }
  }
}
