// Runs as `npm run image:test`, as root: builds the images from two directories and runs them in a real Docker. Needs a clean
// working tree, because images are built from HEAD.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { thisArchitecture } from '../../scripts/image/architecture.ts'
import { type Docker, startDocker } from '../../scripts/image/docker.ts'
import { repository } from '../../scripts/image/program.ts'
import { installImageTools } from '../../scripts/image/tools.ts'
import { fileDirectory } from '../support/temporary-directory.ts'

const restricted = ['--rm', '--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--network=none']
const directory = fileDirectory()
const run = promisify(execFile)

type Built = { readonly name: string; readonly reference: string; readonly id: string; readonly archive: string }
let images: readonly Built[] = []
let docker: Docker

before(async () => {
  images = await buildIn(repository, 'amd64', 'arm64')
  docker = await startDocker()
  for (const { archive } of images.filter(({ name }) => name.endsWith(thisArchitecture()))) await load(archive)
})

after(() => docker.close())

test('a build in another directory, with packages fetched again, gives the same image IDs', async () => {
  const clone = join(directory, 'clone')
  await run('git', ['clone', '--quiet', repository, clone])
  await run('npm', ['ci', '--prefer-offline'], { cwd: clone })
  const again = await buildIn(clone, thisArchitecture())
  const first = images.filter(({ name }) => name.endsWith(thisArchitecture()))
  const idsOf = (built: readonly Built[]) => built.map(({ name, id }) => `${name} ${id}`)
  assert.equal(first.length, 4)
  assert.deepEqual(idsOf(again), idsOf(first))
})

test('--help runs as another user than root, on a read-only root, without capabilities and network', async () => {
  assert.match(
    await docker.inside(['docker', 'run', ...restricted, referenceOf('ringproof'), '--help']),
    /^Usage: ringproof/,
  )
})

test('a process in the image has no root, no capability, no new privileges, no shell and nothing to write to', async () => {
  const probe = `const { accessSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
    const line = (name) => RegExp('^' + name + ':\\\\s+(\\\\S+)', 'm').exec(readFileSync('/proc/self/status', 'utf8'))[1]
    const codeOf = (path) => { try { writeFileSync(path, ''); return 'written' } catch (error) { return error.code } }
    console.log(JSON.stringify({
      uid: process.getuid(), capabilities: line('CapEff'), noNewPrivileges: line('NoNewPrivs'),
      shells: ['/bin/sh', '/bin/bash', '/bin/dash', '/bin/busybox'].filter(existsSync),
      writes: ['/x', '/tmp/x', '/opt/ringproof/x', '/var/lib/ringproof/secrets/x'].map(codeOf),
    }))`
  const node = ['--entrypoint=node', referenceOf('ringproof'), '-e', probe]
  assert.deepEqual(JSON.parse(await docker.inside(['docker', 'run', ...restricted, ...node])), {
    uid: 65532,
    capabilities: '0000000000000000',
    noNewPrivileges: '1',
    shells: [],
    writes: ['EROFS', 'EROFS', 'EROFS', 'EROFS'],
  })
})

test('the image has a health check and names its version and commit', async () => {
  type Inspected = { Config: { User: string; Healthcheck?: unknown; Labels: Record<string, string> } }
  const [inspected] = JSON.parse(await docker.inside(['docker', 'inspect', referenceOf('ringproof')])) as Inspected[]
  assert(inspected?.Config.Healthcheck)
  assert.equal(inspected.Config.User, '65532:65532')
  const { stdout: head } = await run('git', ['rev-parse', 'HEAD'], { cwd: repository })
  assert.equal(inspected.Config.Labels['org.opencontainers.image.revision'], head.trim())
  assert.equal(referenceOf('ringproof').split(':')[1], inspected.Config.Labels['org.opencontainers.image.version'])
})

test('the node image prepares an Asterisk that starts with every module', async () => {
  const volume = '--volume=node:/var/lib/ringproof/asterisk'
  const settings = ['RINGPROOF_DATABASE_URL=postgres://127.0.0.1/none', 'RINGPROOF_ARI_PASSWORD=unused']
  const node = [...settings.map((setting) => `--env=${setting}`), referenceOf('ringproof-node')]
  const prepare = ['asterisk', 'prepare', '/var/lib/ringproof/asterisk']
  await docker.inside(['docker', 'run', ...restricted, volume, ...node, ...prepare])
  const asterisk = referenceOf('ringproof-asterisk')
  await docker.inside(['docker', 'run', '--detach', '--name=node', ...restricted, volume, asterisk])
  const remote = ['docker', 'exec', 'node', 'asterisk', '-C', '/var/lib/ringproof/asterisk/etc/asterisk.conf', '-rx']
  await docker.inside([
    'sh',
    '-c',
    `until "$@" >/dev/null 2>&1; do sleep 0.2; done`,
    'sh',
    ...remote,
    'core waitfullybooted',
  ])
  const shown = await docker.inside([...remote, 'module show'])
  await docker.inside(['docker', 'stop', 'node'])
  const wanted = readFileSync(join(repository, 'deploy/asterisk/modules.conf'), 'utf8').matchAll(/^load = (\S+)$/gm)
  const running = new Set([...shown.matchAll(/^(\S+\.so) .* \d+ +Running /gm)].map(([, name]) => name))
  const missing = [...wanted].map(([, name]) => name).filter((name) => !running.has(name))
  assert(running.size > 0, shown)
  assert.deepEqual(missing, [])
})

test('the image prepares an edge that starts and answers OPTIONS', async () => {
  const volume = '--volume=edge:/var/lib/ringproof/edge'
  const settings = [
    'RINGPROOF_DATABASE_URL=postgres://127.0.0.1/none',
    'RINGPROOF_ARI_PASSWORD=unused',
    'RINGPROOF_EDGE_URL=udp://127.0.0.1:5070',
    'RINGPROOF_EDGE_SIP_HOST=127.0.0.1',
  ].map((setting) => `--env=${setting}`)
  const ringproof = referenceOf('ringproof')
  const prepare = ['edge', 'prepare', '/var/lib/ringproof/edge']
  await docker.inside(['docker', 'run', ...restricted, volume, ...settings, ringproof, ...prepare])
  await docker.inside([
    'docker',
    'run',
    '--detach',
    '--name=edge',
    ...restricted,
    volume,
    referenceOf('ringproof-edge'),
  ])
  // In its network, which has only loopback.
  const beside = [...restricted.filter((option) => option !== '--network=none'), '--network=container:edge']
  const ask = ['docker', 'run', ...beside, '--entrypoint=node', ringproof, '-e', askOptions]
  assert.match(await docker.inside(ask), /^SIP\/2\.0 200 OK\r\n/)
  await docker.inside(['docker', 'stop', 'edge'])
})

const askOptions = `const socket = require('node:dgram').createSocket('udp4')
  const request = ['OPTIONS sip:127.0.0.1 SIP/2.0', 'Via: SIP/2.0/UDP 127.0.0.1:9;rport;branch=z9hG4bKprobe',
    'From: <sip:probe@127.0.0.1>;tag=probe', 'To: <sip:127.0.0.1>', 'Call-ID: probe', 'CSeq: 1 OPTIONS', 'Content-Length: 0', '', '']
  socket.on('message', (text) => { process.stdout.write(text); process.exit() })
  setInterval(() => socket.send(request.join('\\r\\n'), 5060, '127.0.0.1'), 200)
  setTimeout(() => process.exit(1), 10000)`

test('a missing file stops the build with a sentence that names it', async () => {
  const tree = await exported(referenceOf('ringproof'), 'complete')
  const program = join(tree, 'opt/ringproof')
  const check = () => {
    const file = join(repository, 'scripts/image/check-program.ts')
    return spawnSync(process.execPath, [file, program], { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  }
  assert.equal(check().status, 0)
  for (const path of [
    'contract/examples',
    'server/assets/docs',
    'server/src/db/functions',
    'web/dist/index.html',
    'docs/guides',
    'docs/operations/metrics.md',
    'sdk/README.md',
    'examples/php',
    'deploy/asterisk',
    'deploy/edge',
    'node_modules/nodemailer',
  ]) {
    renameSync(join(program, path), join(tree, 'away'))
    const { status, stderr } = check()
    renameSync(join(tree, 'away'), join(program, path))
    assert.equal(status, 1, `${path} is not missed`)
    assert.match(stderr, /^The program is incomplete: /m)
    assert(
      stderr.includes(path.replace('node_modules/', '').replace('web/dist/', '')),
      `${path} is not named: ${stderr}`,
    )
  }
})

test('the arm64 images run under emulation', { skip: thisArchitecture() === 'arm64' }, async () => {
  await installImageTools([['qemu-user-static', ['qemu-aarch64-static', '--version']]])
  for (const { archive } of images.filter(({ name }) => name.endsWith('arm64'))) await load(archive)
  const emulate = async (name: string, ...command: string[]) => {
    const tree = await exported(referenceOf(name), `${name}-arm64`)
    copyFileSync('/usr/bin/qemu-aarch64-static', join(tree, 'qemu'))
    return (await run('chroot', [tree, '/qemu', ...command])).stdout
  }
  const launcher = ['/usr/local/bin/node', '/usr/local/bin/ringproof']
  assert.match(await emulate('ringproof', ...launcher, '--help'), /^Usage: ringproof/)
  assert.match(await emulate('ringproof-asterisk', '/usr/sbin/asterisk', '-V'), /^Asterisk \d+/)
  assert.match(await emulate('ringproof-edge', '/usr/sbin/kamailio', '-v'), /^version: kamailio 6\.0\./)
  assert.match(await emulate('ringproof-node', ...launcher, 'asterisk', 'prepare', '--help'), /^Usage: ringproof/)
})

// Lines of `npm run image`: reference, architecture, ID, archive.
async function buildIn(place: string, ...architectures: string[]): Promise<readonly Built[]> {
  const { stdout } = await run('npm', ['run', '-s', 'image', '--', ...architectures], { cwd: place })
  return [...stdout.matchAll(/^(localhost\/(\S+):\S+) (\S+) ([0-9a-f]+) (\S+)$/gm)].map(
    ([, reference = '', name = '', architecture = '', id = '', archive = '']) => ({
      name: `${name} ${architecture}`,
      reference,
      id,
      archive: join(place, archive),
    }),
  )
}

function referenceOf(name: string): string {
  const found = images.find((image) => image.name.startsWith(`${name} `))
  if (found === undefined) throw new Error(`${name} was not built`)
  return found.reference
}

async function load(archive: string): Promise<void> {
  await docker.inside(['docker', 'load', '--quiet', '--input', archive])
}

// The file system of an image, in a directory outside the repository.
async function exported(reference: string, name: string): Promise<string> {
  const tree = join(directory, name)
  mkdirSync(tree)
  const script = 'id=$(docker create "$1" 2>/dev/null) && docker export "$id" | tar -x -C "$2" && docker rm "$id"'
  await docker.inside(['sh', '-c', script, 'sh', reference, tree])
  return tree
}
