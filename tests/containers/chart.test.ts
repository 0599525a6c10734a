// Runs as `npm run verify -- chart`: the Helm chart is rendered with the template engine of Helm and held strictly to Kubernetes'
// schemas. There is no cluster: docs/operations/install-chart.md lists what was therefore never run.

import assert from 'node:assert/strict'
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { before, test } from 'node:test'
import { Ajv } from 'ajv'
import { processRoles as roles } from '../../server/src/domain/core/database-role.ts'
import { callDeadlineMs } from '../../server/src/domain/verifications/verification.ts'
import { readConfig } from '../../server/src/process/config/config.ts'
import { examineSecrets, readSecrets, ringNames } from '../../server/src/process/secrets.ts'
import { fileDirectory } from '../support/temporary-directory.ts'
import { containersOf, type KubeObject, probeNames, workloadsIn } from './chart/kube-object.ts'
import { readKubeSchemas } from './chart/kube-schema.ts'
import { templateMistakes, valuesMistakes } from './chart/mistakes.ts'
import {
  type ImageName,
  imageFiles,
  imageNameOf,
  loginFaults,
  type ProgramStart,
  programStarts,
  readImageFile,
} from './chart/program-settings.ts'
import { referenceFaults } from './chart/reference-faults.ts'
import { buildRenderer, type Rendered, type Renderer } from './chart/render-chart.ts'
import { secrets } from './chart/secrets.ts'

const repository = join(import.meta.dirname, '../..')
const chart = join(repository, 'deploy/chart')
const valuesFolder = join(import.meta.dirname, 'chart/values')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const guide = read('docs/operations/install-chart.md')
const validateValues = new Ajv({
  allErrors: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
}).compile(JSON.parse(read('deploy/chart/values.schema.json')) as object)
const uid = 65532

const directory = fileDirectory()
const kubeFaults = readKubeSchemas()
let renderer: Renderer
let byDefault: Rendered
// By values file; '' has none.
const rendered = new Map<string, Rendered>()

before(async () => {
  renderer = await buildRenderer(directory)
  byDefault = await renderer.render(chart, [])
  rendered.set('', byDefault)
  for (const file of readdirSync(valuesFolder)) {
    rendered.set(file, await renderer.render(chart, [join(valuesFolder, file)]))
  }
})

test('every object of every rendering is valid, and every name in it leads somewhere', (t) => {
  assert.equal(rendered.size, 6)
  for (const [file, { objects, notes }] of rendered) {
    assert(objects.length >= 7, file)
    assert.deepEqual(objects.flatMap(kubeFaults), [], file)
    assert.deepEqual(referenceFaults(objects, Object.keys(secrets)), [], file)
    assert.match(notes, /^Ringproof \d+\.\d+\.\d+\S* is installed\./, file)
    t.diagnostic(`${file || 'default'}: ${objects.length} objects`)
  }
})

test('all values follow their schema', async () => {
  for (const file of rendered.keys()) {
    validateValues(await renderer.values(chart, file === '' ? [] : [join(valuesFolder, file)]))
    assert.deepEqual(validateValues.errors ?? [], [], file)
  }
})

test('values with a mistake are refused', async () => {
  for (const [text, fault] of valuesMistakes) {
    validateValues(await renderer.values(chart, [valuesFile(text)]))
    const found = (validateValues.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
    assert.match(found.join('\n'), fault, text)
  }
})

test('without a schema the templates still refuse an empty name, a doubled key and a long release', async () => {
  await assert.rejects(renderer.render(chart, [valuesFile('existingSecret: ""')]), /existingSecret is empty/)
  await assert.rejects(
    renderer.render(chart, [valuesFile('api: { replicas: 1 }\napi: { replicas: 2 }')]),
    /"api" already/,
  )
  await assert.rejects(renderer.render(chart, [], 'r'.repeat(24)), /more than 23 characters/)
  const { objects } = await renderer.render(chart, [], 'r'.repeat(23))
  for (const { environment } of programStarts(objects, secrets)) readConfig(environment)
})

test('a template with a mistake is refused', async () => {
  for (const [file, good, bad, fault] of templateMistakes) {
    const copy = changedChart(file, good, bad)
    const faults = await renderer.render(copy, [join(valuesFolder, 'ingress.yaml')]).then(
      ({ objects }) => [...objects.flatMap(kubeFaults), ...referenceFaults(objects, Object.keys(secrets))].join('\n'),
      (error: Error) => error.message,
    )
    assert.match(faults, fault, `${file}: ${bad}`)
  }
})

test('the program accepts the settings of every container', () => {
  for (const [file, { objects }] of rendered) {
    const starts = programStarts(objects, secrets)
    assert.equal(starts.length, file === 'edge.yaml' ? 7 : 6, file)
    assert.deepEqual(loginFaults(starts, objects), [], file)
    for (const start of starts) {
      const { pod, container } = start
      const { httpPort, metricsPort, node } = configOf(start)
      const ports = (container.ports ?? []).map((port) => [port.name, port.containerPort])
      const served = [...(pod.endsWith('-api') ? [['http', httpPort]] : []), ['metrics', metricsPort]]
      assert.deepEqual(ports, container.args?.[0] === 'serve' ? served : [], pod)
      assert.equal(node.endsWith('-99'), pod.endsWith('-node'), `${pod} is named ${node}`)
    }
  }
})

test('the program refuses a setting that does not exist, and a file that is not mounted', async () => {
  const firstOf = async (text: string) => {
    const [first] = programStarts((await renderer.render(chart, [valuesFile(text)])).objects, secrets)
    assert(first)
    return () => configOf(first)
  }
  assert.throws(await firstOf('config: { RINGPROOF_TYPO: "1" }'), /RINGPROOF_TYPO: there is no such setting/)
  const named = 'config: { RINGPROOF_NATS_CA_FILE: /etc/ringproof/files/ca.pem }'
  assert.throws(await firstOf(named), /RINGPROOF_NATS_CA_FILE names a file that is not mounted/)
  assert.doesNotThrow(await firstOf(`${named}\nfiles: { existingSecret: ringproof-files }`))
})

test('only the Job that migrates gets the login that owns the tables, and it runs before the pods', () => {
  for (const { objects } of rendered.values()) {
    const owners = programStarts(objects, secrets).filter(({ environment }) =>
      Object.keys(environment).some((name) => name.includes('OWNER')),
    )
    const commands = owners.flatMap(({ container }) => container.args ?? [])
    assert.deepEqual(commands, ['migrate'])
    const job = objects.find(({ kind }) => kind === 'Job')
    assert.equal(job?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
  }
})

test('every role of the program runs in exactly one kind of pod, on the images that exist', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  for (const [file, { objects }] of rendered) {
    const served = containersIn(objects)
      .filter(({ args }) => args?.[0] === 'serve')
      .flatMap(({ args }) => args?.[2]?.split(',') ?? [])
    assert.deepEqual(served.toSorted(), roles.toSorted(), file)
    const names = new Set(containersIn(objects).map(imageNameOf))
    const expected = Object.keys(imageFiles).filter((name) => name !== 'ringproof-edge' || file === 'edge.yaml')
    assert.deepEqual([...names].toSorted(), expected.toSorted(), file)
    for (const { image } of containersIn(objects)) assert(image.endsWith(`:${version}`), image)
  }
  const prefixes = new Set(
    containersIn(rendered.get('ingress.yaml')?.objects ?? []).map(({ image }) => image.split('/ring')[0]),
  )
  assert.deepEqual([...prefixes], ['registry.example.org'])
})

test('user, ports and commands are those of the images', () => {
  for (const name of Object.keys(imageFiles) as ImageName[]) {
    assert(readImageFile(name).includes(`USER ${uid}:${uid}\n`), name)
  }
  const [exposed = ''] = /^EXPOSE .*$/m.exec(readImageFile('ringproof')) ?? []
  const ports = containersIn(byDefault.objects)
    .filter((one) => imageNameOf(one) === 'ringproof')
    .flatMap(({ ports: own = [] }) => own.map(({ containerPort }) => containerPort))
  assert.deepEqual(
    exposed.split(' ').slice(1).map(Number),
    [...new Set(ports)].toSorted((a, b) => a - b),
  )
  const asterisk = containersIn(byDefault.objects).find((one) => imageNameOf(one) === 'ringproof-asterisk')
  const [, , , configuration] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(readImageFile('ringproof-asterisk'))?.[1] ?? '')
  for (const probe of probeNames.flatMap((name) => asterisk?.[name] ?? [])) {
    assert.deepEqual(probe.exec?.command, ['asterisk', '-C', configuration, '-rx', 'core waitfullybooted'])
  }
  // It has started before `calls` does, and ends after it.
  assert.equal(asterisk?.restartPolicy, 'Always')
  assert(asterisk.startupProbe)
  // It reads the certificate authorities of carriers itself.
  const overTls = containersIn(rendered.get('host-network.yaml')?.objects ?? []).find(({ name }) => name === 'asterisk')
  assert(overTls?.volumeMounts?.some(({ mountPath }) => mountPath === '/etc/ringproof/files'))
})

test('the edge is prepared for the address of its pod, on a port that Asterisk does not have', () => {
  const { objects = [] } = rendered.get('edge.yaml') ?? {}
  const edge = containersIn(objects).find((one) => imageNameOf(one) === 'ringproof-edge')
  const starts = programStarts(objects, secrets).filter(({ pod }) => pod.endsWith('-node'))
  assert.equal(starts.length, 3)
  for (const { edgeUrl, edgeSipHost, edgeSipPort, edgeCallsPerSecond, sipPort, sipTlsPort } of starts.map(configOf)) {
    assert.deepEqual([edgeUrl, edgeSipHost, edgeCallsPerSecond], ['udp://127.0.0.1:5070', '192.0.2.1', 300])
    assert(edge?.ports?.every(({ containerPort }) => containerPort === edgeSipPort))
    assert(![sipPort, sipTlsPort].includes(edgeSipPort))
  }
})

test('probes ask paths that the program serves', () => {
  const pages = read('server/src/http/public-pages.ts')
  const metrics = read('server/src/http/listen.ts')
  const probes = containersIn(byDefault.objects).flatMap((one) =>
    probeNames.flatMap((name) => one[name]?.httpGet ?? []),
  )
  assert.equal(probes.length, 12)
  for (const { port, path } of probes) assert((port === 'http' ? pages : metrics).includes(`'${path}'`), path)
})

test('a stopping pod has the time to drain and to finish', () => {
  const finishMs = Number(/^const finishMs = ([\d_]+)$/m.exec(read('server/src/http/listen.ts'))?.[1]?.replace('_', ''))
  assert(finishMs > 0)
  for (const [file, drainSeconds] of [
    ['', 10],
    ['one-replica.yaml', 0],
    ['ingress.yaml', 20],
  ] as const) {
    for (const { metadata, spec } of workloadsIn(rendered.get(file)?.objects ?? [])) {
      const seconds = spec.template.spec.terminationGracePeriodSeconds ?? 0
      if (/-(migrate|cli)$/.test(metadata.name)) continue
      const needed = metadata.name.endsWith('-node') ? callDeadlineMs / 1_000 : drainSeconds + finishMs / 1_000
      assert(seconds >= needed + 10, `${file} ${metadata.name}: ${seconds} s`)
    }
  }
})

test('a changed setting replaces the pods, and nothing else does', async () => {
  const checksums = ({ objects }: Rendered) =>
    workloadsIn(objects).flatMap(({ spec }) => spec.template.metadata.annotations?.['checksum/config'] ?? [])
  const changed = await renderer.render(chart, [valuesFile('config: { RINGPROOF_LEDGER_DAYS: "31" }')])
  const scaled = await renderer.render(chart, [valuesFile('api: { replicas: 5 }')])
  assert.equal(checksums(byDefault).length, 5)
  assert.deepEqual(checksums(scaled), checksums(byDefault))
  for (const [at, checksum] of checksums(changed).entries()) assert.notEqual(checksum, checksums(byDefault)[at])
})

test('disruption budgets exist where there is more than one pod, an Ingress only on request, hostNetwork only for nodes', () => {
  const namesOf = (file: string, kind: string) =>
    (rendered.get(file)?.objects ?? []).filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)
  const budgets = ['ringproof-api', 'ringproof-keeper', 'ringproof-webhooks']
  assert.deepEqual(namesOf('', 'PodDisruptionBudget').toSorted(), budgets)
  assert.deepEqual(namesOf('one-replica.yaml', 'PodDisruptionBudget'), [])
  assert.deepEqual(
    namesOf('host-network.yaml', 'PodDisruptionBudget').toSorted(),
    [...budgets, 'ringproof-node'].toSorted(),
  )
  assert.deepEqual(namesOf('', 'Ingress'), [])
  const ingress = rendered.get('ingress.yaml')?.objects.find(({ kind }) => kind === 'Ingress')
  assert.deepEqual(
    ingress?.spec?.rules?.map(({ host }) => host),
    ['verify.example.org'],
  )
  assert.deepEqual(ingress.spec.tls, [{ hosts: ['verify.example.org'], secretName: 'verify-example-org' }])
  for (const [file, { objects }] of rendered) {
    const onHost = workloadsIn(objects).filter(({ spec }) => spec.template.spec.hostNetwork)
    const expected = file === 'host-network.yaml' ? ['ringproof-node'] : []
    assert.deepEqual(
      onHost.map(({ metadata }) => metadata.name),
      expected,
      file,
    )
  }
})

test('keys from the command of the guide, copied by the command of the chart, pass the checks of the program', () => {
  const made = join(directory, 'ringproof-keys')
  const setup = /^keys=\$HOME.*\n.* ringproof setup .*$/m.exec(guide)?.[0] ?? assert.fail('the guide makes no keys')
  typed(['sh', '-c', setup], { cwd: repository, env: { PATH: process.env['PATH'], HOME: directory } })
  writeFileSync(join(made, 'seal-numbers.active'), '1\n')
  const mounted = mountSecret(made)
  assert.equal(
    examineSecrets(mounted).readable.length,
    ringNames.length + 1,
    'in a Secret they are readable to a group',
  )
  const memory = join(directory, 'memory')
  mkdirSync(memory)
  chmodSync(memory, 0o777)
  // The tests may run in a folder that others cannot enter.
  const node = join(directory, 'node')
  copyFileSync(process.execPath, node)
  chmodSync(directory, 0o755)
  const copyings = containersIn(byDefault.objects).filter(({ name }) => name === 'keys')
  assert.equal(copyings.length, 5)
  const [, flag = '', script = '', from, to = ''] = copyings[0]?.command ?? []
  assert.equal(from, '/etc/ringproof/keys')
  for (const { environment, container } of programStarts(byDefault.objects, secrets)) {
    if (container.args?.[0] === 'serve') assert.equal(environment['RINGPROOF_SECRETS_DIR'], to)
  }
  const keys = join(memory, basename(to))
  // A container that is restarted copies them again.
  for (const times of ['once', 'twice']) {
    typed([node, flag, script, mounted, keys], process.getuid?.() === 0 ? { uid, gid: uid } : {})
    assert.deepEqual(examineSecrets(keys), { readable: [], mistakes: [] }, times)
    assert.equal(statSync(keys).mode & 0o777, 0o700, times)
    assert.deepEqual(readdirSync(keys).toSorted(), readdirSync(made).toSorted(), times)
    assert.equal(readSecrets(keys)['seal-numbers'].active, 1, times)
  }
})

test('the program accepts what the guide writes', async () => {
  const written = Object.fromEntries(
    [...guide.matchAll(/^cat > (\S+)\.env <<'END'\n([^]*?)^END$/gm)].map(([, name = '', text = '']) => [
      name,
      Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, setting = '', value = '']) => [setting, value])),
    ]),
  )
  const created = Object.fromEntries(
    [...guide.matchAll(/create secret generic (\S+) --from-(?:env-file=(\S+)\.env)?/g)].map(
      ([, name = '', file = '']) => [name, written[file] ?? {}],
    ),
  )
  const values = valuesFile(/^```yaml\n([^]*?)^```$/m.exec(guide)?.[1] ?? '')
  assert(validateValues(await renderer.values(chart, [values])), JSON.stringify(validateValues.errors))
  const { objects } = await renderer.render(chart, [values])
  assert.deepEqual([...objects.flatMap(kubeFaults), ...referenceFaults(objects, Object.keys(created))], [])
  const starts = programStarts(objects, created)
  const files = new Set(starts.flatMap(({ environment }) => Object.values(environment).filter(isMountedFile)))
  assert.deepEqual(
    [...files].map((path) => basename(path)).filter((name) => !guide.includes(`--from-file=${name}`)),
    [],
  )
  assert.equal(files.size, 2)
  for (const start of starts) configOf(start)
})

function isMountedFile(value: string): boolean {
  return value.startsWith('/etc/ringproof/files/')
}

// As the program reads it, with any readable file for those that are mounted.
function configOf({ pod, container, environment }: ProgramStart): ReturnType<typeof readConfig> {
  const isMounted = container.volumeMounts?.some(({ mountPath }) => mountPath === '/etc/ringproof/files') === true
  const seen = Object.entries(environment).map(([name, value]) => {
    if (!isMountedFile(value)) return [name, value]
    assert(isMounted, `${pod}: ${name} names a file that is not mounted`)
    return [name, import.meta.filename]
  })
  return readConfig(Object.fromEntries(seen) as NodeJS.ProcessEnv)
}

function typed([command = '', ...args]: readonly string[], options: SpawnSyncOptions): void {
  const { status, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

function containersIn(objects: readonly KubeObject[]): ReturnType<typeof containersOf> {
  return workloadsIn(objects).flatMap(containersOf)
}

let files = 0

function valuesFile(text: string): string {
  const path = join(directory, `values-${files++}.yaml`)
  writeFileSync(path, `${text}\n`)
  return path
}

function changedChart(file: string, good: string, bad: string): string {
  const copy = join(directory, `chart-${files++}`)
  cpSync(chart, copy, { recursive: true })
  const path = join(copy, 'templates', file)
  const text = readFileSync(path, 'utf8')
  assert(text.includes(good), `${file} has no ${good}`)
  writeFileSync(
    path,
    text.replace(good, () => bad),
  )
  return copy
}

// As the kubelet mounts a Secret for a group: root's files, and links to the newest version of them.
function mountSecret(source: string): string {
  const mounted = join(directory, 'mounted')
  mkdirSync(join(mounted, '..newest'), { recursive: true })
  symlinkSync('..newest', join(mounted, '..data'))
  for (const name of readdirSync(source)) {
    const file = join(mounted, '..newest', name)
    copyFileSync(join(source, name), file)
    chmodSync(file, 0o440)
    if (process.getuid?.() === 0) chownSync(file, 0, uid)
    symlinkSync(join('..data', name), join(mounted, name))
  }
  chmodSync(mounted, 0o777)
  return mounted
}
