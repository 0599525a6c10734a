// What the image ringproof-demo contains besides Asterisk and Kamailio: the other servers, and the program with the demo.

import { copyFileSync, cpSync, globSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from '../stack/process.ts'
import type { Architecture } from './architecture.ts'
import { checkProgram, extractCommitted, runtimePaths } from './program.ts'
import { completeRoot, type Unpacked, unpackedPackages } from './trimmed.ts'

// What the demo and its stack start by name.
const system: Unpacked = {
  program: 'demo',
  suite: 'trixie',
  packages: [
    'bash',
    'dash',
    'coreutils',
    'util-linux',
    'tzdata',
    'media-types',
    'postgresql-17',
    'postgresql-client-17',
    'sip-tester',
    'espeak-ng',
    'espeak-ng-data',
  ],
  // Without Perl, locales and the compiler of PostgreSQL.
  libraries: /^(?!lib(llvm|z3|perl)|.*-perl$)(lib|zlib|gcc-\d+-base$)/,
}

const nats: Unpacked = { program: 'nats-server', suite: 'forky', packages: ['nats-server'], libraries: /^$/ }
const servers = 'opt/servers'
const state = '/var/lib/ringproof'

/** Writes everything into an empty directory, given the directories of the program, of Asterisk and of Kamailio. */
export async function assembleDemo(
  root: string,
  parts: { readonly program: string; readonly asterisk: string; readonly edge: string },
  architecture: Architecture,
): Promise<void> {
  const base = await unpackedPackages(system, architecture)
  await run(['cp', '--archive', join(base, 'tree'), root])
  for (const path of globSync('usr/lib/postgresql/*/lib/{llvmjit*,bitcode}', { cwd: root })) {
    rmSync(join(root, path), { recursive: true })
  }
  completeRoot(root, base)
  await run(['cp', '--archive', `${parts.program}/.`, root])
  const program = join(root, 'opt/ringproof')
  extractCommitted(runtimePaths('demo-files.txt'), program)
  symlinkSync(state, join(program, '.stack'))
  await checkProgram(root, architecture)
  const unpacked = await unpackedPackages(nats, architecture)
  const tree = join(root, servers, 'nats/server')
  for (const path of ['usr/sbin/nats-server', 'usr/share/doc/nats-server']) {
    cpSync(join(unpacked, 'tree', path), join(tree, path), { recursive: true })
  }
  const statuses = join(root, 'var/lib/dpkg/status.d')
  copyFileSync(join(unpacked, 'status.d/nats-server'), join(statuses, 'nats-server'))
  // A library may be there in two versions.
  for (const from of [parts.asterisk, parts.edge]) {
    for (const file of globSync(join(from, 'var/lib/dpkg/status.d/*'))) {
      copyFileSync(file, join(statuses, `${basename(file)}.${basename(from)}`))
    }
  }
}
