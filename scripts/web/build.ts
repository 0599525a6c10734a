// Runs as `npm run build:web`: builds web/dist, with a .br and a .gz beside every text file of the assets, so that the server
// compresses nothing.

import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { viteSettings, webFolder } from './vite-settings.ts'

await build({ ...viteSettings(), logLevel: 'warn' })
for (const file of globSync('dist/assets/*.{js,css,svg}', { cwd: webFolder })) compress(join(webFolder, file))

function compress(path: string): void {
  const bytes = readFileSync(path)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
}
