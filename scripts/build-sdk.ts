// Runs as `npm run build`: builds the client package in sdk/build, or in the given directory, ready for `npm publish`: ES
// modules and CommonJS, each with its types.

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '..')
const target = process.argv[2] ?? join(repository, 'sdk/build')

rmSync(target, { recursive: true, force: true })
compile('dist/esm', [])
compile('dist/cjs', ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'])
// The package is "type": "module"; this directory is not.
writeFileSync(join(target, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n')
// In the repository the package exports its source, which our Node runs as it is. What is published exports what was built.
const { publishConfig, ...manifest } = JSON.parse(readFileSync(join(repository, 'sdk/package.json'), 'utf8'))
writeFileSync(join(target, 'package.json'), `${JSON.stringify({ ...manifest, ...publishConfig }, undefined, 2)}\n`)
for (const path of ['sdk/README.md', 'LICENSE']) {
  copyFileSync(join(repository, path), join(target, path.replace('sdk/', '')))
}

function compile(folder: string, options: string[]): void {
  const output = join(target, folder)
  mkdirSync(output, { recursive: true })
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', join(repository, 'sdk'), '--outDir', output, ...options]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  // The compiler rewrites import extensions in the code it emits, but not in declaration files.
  for (const name of readdirSync(output).filter((one) => one.endsWith('.d.ts'))) {
    const path = join(output, name)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/ from '(\.\/[^']+)\.ts'/g, " from '$1.js'"))
  }
}
