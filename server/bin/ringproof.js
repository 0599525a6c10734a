#!/usr/bin/env node
// Node older than 24 cannot even read the program's TypeScript, so this one file is JavaScript and says so in a sentence.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `ringproof needs Node 24 or newer; this is ${process.version}. Inside the project, use: npx ringproof\n`,
  )
  process.exit(1)
}
// Compiled code is kept beside the program, where nobody else can put any; it halves the time to start. Where the place
// cannot be written to, nothing is kept.
const { enableCompileCache } = await import('node:module')
enableCompileCache(new URL('../.cache', import.meta.url).pathname)

await import('../src/main.ts')
