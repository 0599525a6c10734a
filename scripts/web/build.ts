// Runs as `npm run build:web`: builds web/dist, with a .br and a .gz beside every text file of the assets, so that the server
// compresses nothing; and what the pages contain: packages.json for the bill of materials, notices.txt with the licences.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { licenseOf } from '../notices/license.ts'
import { pageNotices } from '../notices/notices.ts'
import { viteSettings, webFolder } from './vite-settings.ts'

const bundle = await build({ ...viteSettings(), logLevel: 'warn' })
const licenses = bundledPackages().map(licenseOf)
const packages = licenses.map(({ name, version }) => ({ name, version }))
writeFileSync(join(webFolder, 'dist/packages.json'), `${JSON.stringify(packages, undefined, 2)}\n`)
writeFileSync(join(webFolder, 'dist/notices.txt'), pageNotices(licenses))
for (const file of globSync('dist/assets/*.{js,css,svg}', { cwd: webFolder })) compress(join(webFolder, file))

function compress(path: string): void {
  const bytes = readFileSync(path)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
}

// The folders of the packages of which at least one module is in a chunk.
function bundledPackages(): readonly string[] {
  if (!('output' in bundle)) throw new Error('Vite has built something else than one bundle')
  const modules = bundle.output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  const folders = modules.map((id) => {
    const [, added] = /^\0(rolldown|vite)\//.exec(id) ?? []
    // A few lines that the bundler adds by itself.
    if (added !== undefined) return join(webFolder, '../node_modules', added)
    return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]
  })
  return [...new Set(folders.filter((folder) => folder !== undefined))].toSorted()
}
