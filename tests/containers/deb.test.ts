// Runs as `npm run deb:test`, as root: the Debian package is installed into a fresh Debian 12 whose systemd has booted in a
// container, in its own namespaces. Needs a clean working tree, because the package is built from HEAD.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { thisArchitecture } from '../../scripts/image/architecture.ts'
import { baseAgeMsMax, cacheDirectory } from '../../scripts/image/base.ts'
import { type Box, openBox } from '../../scripts/image/box.ts'
import { repository } from '../../scripts/image/program.ts'
import { installImageTools } from '../../scripts/image/tools.ts'
import { buildPackage } from '../../scripts/package/deb.ts'
import { debianMirrors } from '../../scripts/stack/debian.ts'
import { nats, natsCommand } from '../../scripts/stack/parts/nats.ts'
import { run } from '../../scripts/stack/process.ts'
import { commandsOf } from './typed-page.ts'

const stopSecondsMax = 5
const exposureMax = 1.5
const packages = [
  'systemd-sysv',
  'dbus',
  'postgresql',
  'ca-certificates',
  'curl',
  'sudo',
  'openssl',
  'nginx',
  'caddy',
  'nftables',
  'kamailio',
]
const installPage = readFileSync(join(repository, 'docs/operations/install-debian.md'), 'utf8')
const work = join(cacheDirectory, 'deb-test')
const root = join(work, 'root')
let box: Box
let packagePath = ''

before(async () => {
  await installImageTools([
    ['podman', ['podman', '--version']],
    ['crun', ['crun', '--version']],
  ])
  rmSync(work, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  await nats.install()
  const [natsServer = ''] = natsCommand('')
  mkdirSync(join(root, 'opt'), { recursive: true })
  copyFileSync(natsServer, join(root, 'opt/nats-server'))
  await run(['tar', '-x', '-C', root, '-f', await bootableDebian()], { timeoutMs: 300_000 })
  writeFileSync(join(work, 'containers.conf'), containersConfig())
  box = await openBox()
  await podman(
    'run',
    '--detach',
    '--name=debian',
    '--network=none',
    '--systemd=always',
    '--cap-add=SYS_ADMIN,NET_ADMIN',
    '--security-opt=seccomp=unconfined',
    '--rootfs',
    root,
    '/sbin/init',
  )
  await inside('until systemctl is-active --quiet dbus postgresql; do sleep 0.2; done; ip link set lo up || true')
})

after(async () => {
  await podman('rm', '--force', '--time=5', 'debian').catch(() => undefined)
  await box.close()
  rmSync(work, { recursive: true, force: true })
})

test('two builds give the same bytes', async (t) => {
  await run(['npm', 'run', '-s', 'build:web'], { cwd: repository, timeoutMs: 300_000 })
  const digests: string[] = []
  for (const _ of [1, 2]) {
    packagePath = await buildPackage(thisArchitecture())
    digests.push(createHash('sha256').update(readFileSync(packagePath)).digest('hex'))
  }
  t.diagnostic(`${(statSync(packagePath).size / 1e6).toFixed(0)} MB`)
  assert.equal(digests[0], digests[1])
})

test('installed into a fresh system: a user, directories and settings that others cannot read', async () => {
  copyFileSync(packagePath, join(root, 'ringproof.deb'))
  await inside('dpkg --install /ringproof.deb')
  assert.match(await inside('ringproof --help'), /Usage: ringproof/)
  assert.match(
    await inside('setpriv --reuid=nobody --regid=nogroup --clear-groups ringproof --help'),
    /Usage: ringproof/,
  )
  assert.equal(
    await inside('stat -c "%U:%G %a" /etc/ringproof/ringproof.env /var/lib/ringproof/secrets'),
    'root:ringproof 640\nringproof:ringproof 700',
  )
})

test('on a new server the steps of the page create roles, tables and keys, and start the unit', async () => {
  await inside(prepareServers)
  const steps = [...(installPage.split('\n## ')[0] ?? '').matchAll(/`((?:sudo|systemctl) [^`]+)`/g)]
  const [migrate = '', setup = '', start = '', examine = '', ...others] = steps.map(([, command = '']) => command)
  assert.deepEqual(others, [])
  for (const _ of ['the owner and the database', 'the other roles']) {
    const printed = await inside(`${migrate} 2>&1 || true`)
    const statements = [...printed.matchAll(/^ {2}((?:CREATE|GRANT) .*;)$/gm)].map(([, statement = '']) => statement)
    assert(statements.length > 1, printed)
    await inside(
      `sudo -u postgres psql --quiet --set=ON_ERROR_STOP=1 <<'END'\n${statements.join('\n').replaceAll('…', 'test')}\nEND`,
    )
  }
  assert.match(await inside(migrate), /^The database is up to date now\.$/m)
  assert.match(await inside(setup), /^Created in \/var\/lib\/ringproof\/secrets:$/m)
  await inside(start)
  await serves()
  type Examined = { readonly findings: { readonly check: string; readonly level: string }[] }
  const { findings } = JSON.parse(await inside(`${examine} --json || true`)) as Examined
  const levels = (name: string) => findings.filter(({ check }) => check === name).map(({ level }) => level)
  assert.deepEqual([levels('secrets'), levels('database-login')], [['good'], ['good']], JSON.stringify(findings))
})

test('the unit is active, and may do little', async (t) => {
  assert.match(await inside('journalctl --unit=ringproof --output=cat'), /"msg":"ready"/)
  assert.equal(
    await inside('systemctl show -p StartLimitIntervalUSec --value ringproof ringproof@api ringproof-edge'),
    '0\n\n0\n\n0',
  )
  const status = await inside('cat /proc/$(systemctl show -p MainPID --value ringproof)/status')
  assert.match(status, /^CapEff:\s+0+$/m)
  assert.match(status, /^NoNewPrivs:\s+1$/m)
  assert.match(status, /^Seccomp:\s+2$/m)
  for (const unit of ['ringproof.service', 'ringproof@api.service']) {
    const exposure = await exposureOf(unit)
    t.diagnostic(`${unit}: exposure ${exposure}`)
    assert(exposure <= exposureMax)
  }
})

test('an upgrade prints the line that restarts the one process', () => assertUpgrade(['ringproof']))

test('keys are read again, and the journal and the state are where the page says', async () => {
  await inside('systemctl reload ringproof && systemctl status ringproof')
  assert.match(await inside('journalctl --unit ringproof --output cat'), /"msg":"ready"/)
})

test('it is back after kill -9, and stops in time', async (t) => {
  const pid = () => inside('systemctl show -p MainPID --value ringproof')
  const first = await pid()
  await inside(`kill -9 ${first}`)
  await inside(
    `until [ "$(systemctl show -p MainPID --value ringproof)" -gt 0 ] && [ "$(systemctl show -p MainPID --value ringproof)" != ${first} ]; do sleep 0.1; done`,
  )
  await serves()
  const startedMs = performance.now()
  await inside('systemctl stop ringproof')
  const seconds = (performance.now() - startedMs) / 1_000
  t.diagnostic(`stopped in ${seconds.toFixed(1)} s`)
  assert(seconds <= stopSecondsMax)
  assert.equal(await inside('systemctl show -p Result --value ringproof'), 'success')
})

test('one unit per kind of process: all are active together, and a role has its own metrics', async () => {
  const [create = '', start = '', ...others] = commandsOf(installPage, 'Several processes')
  assert.deepEqual(others, [])
  await inside(create.replaceAll('…', 'test'))
  await inside(`for login in api:api_web calls:calls webhooks:webhooks keeper:keeper; do
    url="postgres://ringproof_\${login#*:}_login:test@127.0.0.1/ringproof"
    sed -i "s|^RINGPROOF_DATABASE_URL=$|&$url|" "/etc/ringproof/\${login%:*}.env"
  done`)
  await inside(start)
  await serves()
  for (const port of [9464, 9466, 9467, 9468]) {
    await inside(
      `timeout 240 bash -c 'until curl --silent --fail http://127.0.0.1:${port}/metrics | grep --quiet ringproof_build_info; do sleep 0.2; done'`,
    )
  }
})

test('an upgrade prints the line that restarts every kind of process, and nothing else', async () => {
  await assertUpgrade(['ringproof@api', 'ringproof@webhooks', 'ringproof@keeper', 'ringproof@calls'])
  assert.equal(await inside('systemctl is-active ringproof || true'), 'inactive')
  await inside('systemctl restart ringproof.target')
  await serves()
})

test('the edge is off until RINGPROOF_EDGE_URL is set', async () => {
  await inside('systemctl start ringproof-edge')
  assert.equal(await inside('systemctl is-active ringproof-edge || true'), 'inactive')
  assert.equal(await inside('systemctl show -p ConditionResult --value ringproof-edge'), 'no')
})

test('the edge answers in place of the unit of Debian, as a user who can read neither settings nor keys', async (t) => {
  await inside(`cat >>/etc/ringproof/ringproof.env <<'END'
RINGPROOF_ARI_PASSWORD=canary-password
RINGPROOF_EDGE_URL=udp://127.0.0.1:5070
RINGPROOF_EDGE_SIP_HOST=127.0.0.1
END`)
  await inside('systemctl start kamailio && systemctl enable --now ringproof-edge 2>/dev/null')
  assert.match(await edgeResponse(), /^SIP\/2\.0 200 OK/)
  assert.equal(await inside('systemctl is-active kamailio || true'), 'inactive')
  const pid = await inside('systemctl show -p MainPID --value ringproof-edge')
  const status = await inside(`cat /proc/${pid}/status`)
  assert.match(status, /^CapEff:\s+0+$/m)
  assert.match(status, /^NoNewPrivs:\s+1$/m)
  assert.match(status, /^Seccomp:\s+2$/m)
  assert.equal(
    await inside(`stat -c %U /proc/${pid} /run/ringproof-edge/site/kamailio.cfg`),
    'ringproof-edge\nringproof-edge',
  )
  assert.equal(await inside(`tr '\\0' '\\n' </proc/${pid}/environ | grep --count RINGPROOF || true`), '0')
  for (const path of ['/etc/ringproof/ringproof.env', '/var/lib/ringproof/secrets/phone-tenant-1.key']) {
    const reading = `setpriv --reuid=ringproof-edge --regid=ringproof-edge --clear-groups cat ${path}`
    assert.match(await inside(`${reading} 2>&1 || true`), /Permission denied$/)
  }
  const exposure = await exposureOf('ringproof-edge.service')
  t.diagnostic(`exposure ${exposure}`)
  assert(exposure <= exposureMax)
  await inside(`kill -9 ${pid}`)
  await inside(`until [ "$(systemctl show -p NRestarts --value ringproof-edge)" = 1 ]; do sleep 0.1; done`)
  assert.match(await edgeResponse(), /^SIP\/2\.0 200 OK/)
})

test('a Kamailio that loses transactions is not started, and the journal says which one to install', async () => {
  await inside(
    `printf '#!/bin/sh\\necho version: kamailio 6.1.5\\n' >/usr/local/sbin/kamailio && chmod +x /usr/local/sbin/kamailio`,
  )
  await inside('systemctl restart ringproof-edge || true')
  assert.match(
    await inside('journalctl --unit ringproof-edge --output=cat --lines=20'),
    /Kamailio 6\.1\.5 loses calls .* Install Kamailio 6\.0 of Debian 13 or 5\.6 of Debian 12\./,
  )
  assert.equal(await inside('systemctl show -p MainPID --value ringproof-edge'), '0')
  await inside(
    'rm /usr/local/sbin/kamailio && systemctl reset-failed ringproof-edge && systemctl restart ringproof-edge',
  )
  assert.match(await edgeResponse(), /^SIP\/2\.0 200 OK/)
})

test("Debian's nginx and Caddy serve TLS with the samples, and log no key", async () => {
  await inside(
    `install -d /etc/ssl/ringproof && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=verify.example.org -addext subjectAltName=DNS:verify.example.org -keyout /etc/ssl/ringproof/privkey.pem -out /etc/ssl/ringproof/fullchain.pem 2>/dev/null`,
  )
  await inside(
    'rm -f /etc/nginx/sites-enabled/* && cp /usr/share/doc/ringproof/examples/nginx/ringproof.conf /etc/nginx/sites-enabled/ && nginx -t && systemctl restart nginx',
  )
  const ask = (more: string) =>
    inside(
      `curl --silent --cacert /etc/ssl/ringproof/fullchain.pem --resolve verify.example.org:443:127.0.0.1 --write-out ' %{http_code}' ${more}`,
    )
  assert.match(await ask('https://verify.example.org/readyz'), /"status":true.* 200$/)
  assert.match(
    await ask("'https://verify.example.org/v1.0/getBalance?key=canary-key&service_id=1'"),
    /"status":false.* 401$/,
  )
  assert.match(
    await ask(`--data "$(head -c 100000 /dev/zero | tr '\\0' x)" https://verify.example.org/v1.0/getBalance`),
    /"code":1\} 413$/,
  )
  assert.equal(await inside('grep -r canary-key /var/log/nginx || true'), '')
  assert.match(await inside('cat /var/log/nginx/ringproof.log'), /GET \/v1\.0\/getBalance" 401/)
  await inside('systemctl stop nginx')

  await inside(
    `install -D /dev/stdin /etc/systemd/system/caddy.service.d/site.conf <<'END'\n[Service]\nEnvironment=PROXY_SITE=verify.example.org\nEND`,
  )
  await inside(
    `sed 's|^\\tbind .*|&\\n\\ttls /etc/ssl/ringproof/fullchain.pem /etc/ssl/ringproof/privkey.pem|' /usr/share/doc/ringproof/examples/caddy/Caddyfile > /etc/caddy/Caddyfile && chmod 644 /etc/ssl/ringproof/privkey.pem && systemctl daemon-reload && systemctl restart caddy`,
  )
  assert.match(await ask('https://verify.example.org/readyz'), /"status":true.* 200$/)
  assert.match(
    await ask("'https://verify.example.org/v1.0/getBalance?key=canary-key&service_id=1'"),
    /"status":false.* 401$/,
  )
  assert.doesNotMatch(await inside('journalctl --unit=caddy --output=cat'), /canary-key/)
})

test('the sample firewall is valid', async () => {
  await inside('nft --check --file /usr/share/doc/ringproof/examples/nftables.conf')
})

test('the edge is switched off by the command of the page', async () => {
  await inside('systemctl disable --now ringproof-edge 2>/dev/null && systemctl disable --now kamailio 2>/dev/null')
  assert.equal(await inside('systemctl is-active ringproof-edge || true'), 'inactive')
})

test('removed: nothing runs, and keys and settings stay', async () => {
  await inside('dpkg --remove ringproof')
  assert.equal(await inside('systemctl list-units --no-legend "ringproof*" | wc --lines'), '0')
  assert.match(await inside('ls /var/lib/ringproof/secrets /etc/ringproof'), /ringproof\.env[^]*phone-tenant-1\.key/)
})

// The package is installed again, and what it prints is typed.
async function assertUpgrade(units: readonly string[]): Promise<void> {
  const pids = () => Promise.all(units.map((unit) => inside(`systemctl show -p MainPID --value ${unit}`)))
  const earlier = await pids()
  const [, line = ''] =
    /^Ringproof was upgraded\. Now: (.+)$/m.exec(await inside('dpkg --install /ringproof.deb')) ?? []
  assert.equal(line, "sudo -u ringproof ringproof migrate && systemctl try-restart 'ringproof*.service'")
  assert.deepEqual(commandsOf(installPage, 'Upgrade'), [`${line}\n`])
  await inside(line)
  await serves()
  for (const [index, pid] of (await pids()).entries()) assert(Number(pid) > 0 && pid !== earlier[index], units[index])
  assert.deepEqual(
    await Promise.all(units.map((unit) => inside(`systemctl is-active ${unit}`))),
    units.map(() => 'active'),
  )
}

const serves = () =>
  inside(`timeout 240 bash -c 'until curl --silent --fail http://127.0.0.1:8080/readyz; do sleep 0.2; done'`)

async function exposureOf(unit: string): Promise<number> {
  const shown = await inside(`systemd-analyze security --no-pager ${unit}`)
  return Number(/exposure level for \S+: (\d+\.\d+)/.exec(shown)?.[1])
}

// The first line of its response to OPTIONS where carriers reach it, as soon as there is one. The printf of bash would send a packet per line.
const edgeResponse = () =>
  inside(`timeout 240 bash -c 'until exec 3<>/dev/udp/127.0.0.1/5060 && /usr/bin/printf "${optionsRequest}" >&3 &&
    response=$(timeout 1 head -c 14 <&3); do sleep 0.2; done; echo "$response"'`)

const optionsRequest = [
  'OPTIONS sip:127.0.0.1 SIP/2.0',
  'Via: SIP/2.0/UDP 127.0.0.1:9;rport;branch=z9hG4bKprobe',
  'From: <sip:probe@127.0.0.1>;tag=probe',
  'To: <sip:127.0.0.1>',
  'Call-ID: probe',
  'CSeq: 1 OPTIONS',
  'Content-Length: 0',
  '\\r\\n',
].join('\\r\\n')

const prepareServers = `set -e
systemd-run --quiet --unit=nats /opt/nats-server --jetstream --store_dir=/var/lib/nats --addr=127.0.0.1
cat >/etc/ringproof/ringproof.env <<'END'
RINGPROOF_DATABASE_URL=postgres://ringproof_app:test@127.0.0.1/ringproof
RINGPROOF_NATS_URL=nats://127.0.0.1:4222
RINGPROOF_SWITCH=fake
RINGPROOF_REGISTRY_URL=
END
cat >/etc/ringproof/cli.env <<'END'
RINGPROOF_DATABASE_URL=postgres://ringproof_cli:test@127.0.0.1/ringproof
RINGPROOF_DATABASE_OWNER_URL=postgres://ringproof_owner:test@127.0.0.1/ringproof
END
# A container may not create user namespaces. The last file wins.
for unit in ringproof ringproof@ ringproof-edge; do
  install -D /dev/stdin "/etc/systemd/system/$unit.service.d/zz-container.conf" <<'END'
[Service]
PrivateUsers=no
END
done
systemctl daemon-reload`

// A Debian 12 with systemd, at most a day old; maintainer scripts have run.
async function bootableDebian(): Promise<string> {
  const path = join(cacheDirectory, `systemd-${thisArchitecture()}.tar`)
  if (!existsSync(path) || statSync(path).mtimeMs < Date.now() - baseAgeMsMax) {
    const [mirror = ''] = await debianMirrors()
    const source = `deb [check-valid-until=no] ${mirror} bookworm main`
    const draft = `${path}.draft.tar`
    await run(
      [
        'mmdebstrap',
        '--quiet',
        '--mode=root',
        '--variant=minbase',
        `--include=${packages.join(',')}`,
        'bookworm',
        draft,
        source,
      ],
      { timeoutMs: 900_000 },
    )
    renameSync(draft, path)
  }
  return path
}

// The machine's own limits: nothing here may raise them.
function containersConfig(): string {
  const files = /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '1024'
  return `[containers]
default_ulimits = ["nofile=${files}:${files}", "nproc=32768:32768"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
`
}

async function podman(...args: readonly string[]): Promise<string> {
  const storage = [`--root=${join(work, 'storage')}`, `--runroot=${join(work, 'run')}`, '--runtime=crun']
  const env = { ...process.env, CONTAINERS_CONF: join(work, 'containers.conf') }
  return run(box.inside(['podman', ...storage, ...args]), { env, timeoutMs: 300_000 })
}

async function inside(script: string): Promise<string> {
  return (await podman('exec', 'debian', 'bash', '-c', script)).trim()
}
