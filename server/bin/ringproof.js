#!/usr/bin/env node
import { checkNode } from './check-node.js'

const problem = checkNode(process.version, new Date().toISOString().slice(0, 10))
if (problem) process.stderr.write(`${problem.sentence}\n`)
if (problem?.isRefused) process.exit(1)

// Without a listener this signal opens a debugger on a port of this machine, which reads every key in memory.
process.on('SIGUSR1', () => undefined)

// Compiled code is kept beside the program, where only its owner can write; it halves the time to start. Where the place
// cannot be written to, nothing is kept.
const { enableCompileCache } = await import('node:module')
enableCompileCache(new URL('../.cache', import.meta.url).pathname)

await import('../src/main.ts')
