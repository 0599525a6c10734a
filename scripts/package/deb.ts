// Runs as `npm run deb`: a Debian package from the files of the image, with Node inside, for this machine's architecture or the
// one that is named. The same commit gives the same bytes.

import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Architecture, architectures, thisArchitecture } from '../image/architecture.ts'
import { cacheDirectory } from '../image/base.ts'
import { assembleProgram, noticesFile, repository } from '../image/program.ts'
import { debianVersion } from '../release/version.ts'
import { run } from '../stack/process.ts'

const source = join(repository, 'deploy/debian')
// With their drop-ins.
const units: Readonly<Record<string, readonly string[]>> = {
  'ringproof.service': ['hardening.conf', 'process.conf'],
  'ringproof@.service': ['hardening.conf', 'process.conf'],
  'ringproof-edge.service': ['hardening.conf'],
  'ringproof.target': [],
}

if (import.meta.main) process.stdout.write(`${await buildPackage(named(process.argv[2]))}\n`)

/** Returns the path of the package. The web pages must be built. */
export async function buildPackage(architecture: Architecture): Promise<string> {
  const work = mkdtempSync(join(tmpdir(), 'ringproof-deb-'))
  try {
    const program = join(work, 'program')
    await assembleProgram(program, architecture)
    const root = join(work, 'root')
    await layOut(program, root)
    await writeControl(root, architecture)
    const path = join(cacheDirectory, `ringproof_${debianVersion}_${architecture}.deb`)
    mkdirSync(cacheDirectory, { recursive: true })
    const time = (await run(['git', 'log', '-1', '--format=%ct'], { cwd: repository })).trim()
    await run(['find', root, '-exec', 'touch', '--no-dereference', `--date=@${time}`, '{}', '+'])
    const env = { ...process.env, SOURCE_DATE_EPOCH: time }
    await run(['dpkg-deb', '--root-owner-group', '-Zzstd', '-z10', '--build', root, path], { env })
    return path
  } finally {
    rmSync(work, { recursive: true })
  }
}

// Where Debian expects things.
async function layOut(program: string, root: string): Promise<void> {
  const put = (name: string, path: string, mode = 0o644) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    copyFileSync(join(source, name), join(root, path))
    chmodSync(join(root, path), mode)
  }
  mkdirSync(join(root, 'usr/lib'), { recursive: true })
  renameSync(join(program, 'opt/ringproof'), join(root, 'usr/lib/ringproof'))
  renameSync(join(program, 'usr/local/bin/node'), join(root, 'usr/lib/ringproof/node'))
  put('ringproof', 'usr/bin/ringproof', 0o755)
  for (const [unit, dropIns] of Object.entries(units)) {
    put(unit, `usr/lib/systemd/system/${unit}`)
    for (const dropIn of dropIns) put(dropIn, `usr/lib/systemd/system/${unit}.d/${dropIn}`)
  }
  put('sysusers.conf', 'usr/lib/sysusers.d/ringproof.conf')
  put('tmpfiles.conf', 'usr/lib/tmpfiles.d/ringproof.conf')
  for (const file of environmentFiles()) put(file, `etc/ringproof/${file}`, 0o640)
  const docs = join(root, 'usr/share/doc/ringproof')
  put('nftables.conf', 'usr/share/doc/ringproof/examples/nftables.conf')
  copyFileSync(join(repository, 'deploy/compose/create-roles.sql'), join(docs, 'examples/create-roles.sql'))
  cpSync(join(repository, 'deploy/nginx'), join(docs, 'examples/nginx'), { recursive: true })
  cpSync(join(repository, 'deploy/caddy'), join(docs, 'examples/caddy'), { recursive: true })
  cpSync(join(repository, 'deploy/backup'), join(docs, 'examples/backup'), { recursive: true })
  copyFileSync(join(repository, 'LICENSE'), join(docs, 'copyright'))
  renameSync(join(root, 'usr/lib/ringproof', noticesFile), join(docs, noticesFile))
  writeFileSync(join(docs, 'changelog.gz'), gzipSync(readFileSync(join(repository, 'CHANGELOG.md')), { level: 9 }))
}

async function writeControl(root: string, architecture: Architecture): Promise<void> {
  const control = join(root, 'DEBIAN')
  mkdirSync(control)
  for (const script of ['postinst', 'prerm']) {
    copyFileSync(join(source, script), join(control, script))
    chmodSync(join(control, script), 0o755)
  }
  writeFileSync(
    join(control, 'conffiles'),
    environmentFiles()
      .map((file) => `/etc/ringproof/${file}\n`)
      .join(''),
  )
  const sizes = (await run(['find', root, '-type', 'f', '-printf', '%s\\n'])).trim().split('\n').map(Number)
  const kilobytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1_024)
  const fields = [
    'Package: ringproof',
    `Version: ${debianVersion}`,
    `Architecture: ${architecture}`,
    'Maintainer: Ringproof <maintainers@ringproof.example>',
    'Section: net',
    'Priority: optional',
    // systemd: users and directories are created by its tools.
    'Depends: libc6 (>= 2.28), libstdc++6, ca-certificates, systemd',
    'Recommends: postgresql (>= 15)',
    // 6.1.4 and 6.1.5 of Kamailio lose transactions; `ringproof edge prepare` refuses them.
    'Suggests: asterisk (>= 1:22.10.1), kamailio (>= 5.6), nats-server (>= 2.12.3), pgbackrest, age',
    `Installed-Size: ${kilobytes}`,
    'Description: phone-call verification that you run yourself',
    ' A person proves that a phone is theirs by a call that costs them nothing:',
    ' the last four digits of the number that rings, a spoken code, or a call',
    ' that they make.',
  ]
  writeFileSync(join(control, 'control'), `${fields.join('\n')}\n`)
  const sums = await run([
    'bash',
    '-o',
    'pipefail',
    '-c',
    `cd "$0" && find . -path ./DEBIAN -prune -o -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 md5sum`,
    root,
  ])
  writeFileSync(join(control, 'md5sums'), sums)
}

function environmentFiles(): readonly string[] {
  return readdirSync(source)
    .filter((name) => name.endsWith('.env'))
    .map((name) => basename(name))
    .toSorted()
}

function named(name: string | undefined): Architecture {
  if (name === undefined) return thisArchitecture()
  const known = architectures.find((one) => one === name)
  if (known === undefined) throw new Error(`Unknown architecture: ${name}. Use ${architectures.join(' or ')}.`)
  return known
}
