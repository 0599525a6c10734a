// What schemas cannot find: names that lead nowhere, and pods with more rights than ours need.

import { isDeepStrictEqual } from 'node:util'
import { type Container, containersOf, type KubeObject, probeNames, type Workload, workloadsIn } from './kube-object.ts'

type Labels = Readonly<Record<string, unknown>>

const podSecurity = {
  runAsNonRoot: true,
  runAsUser: 65532,
  runAsGroup: 65532,
  fsGroup: 65532,
  fsGroupChangePolicy: 'OnRootMismatch',
  seccompProfile: { type: 'RuntimeDefault' },
}
const containerSecurity = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
}

// secrets: those that exist before the release.
export function referenceFaults(objects: readonly KubeObject[], secrets: readonly string[]): readonly string[] {
  const workloads = workloadsIn(objects)
  return [
    ...doubledNames(objects),
    ...workloads.flatMap((workload) => [
      ...podFaults(workload),
      ...volumeFaults(workload),
      ...containersOf(workload).flatMap((container) => containerFaults(workload, container)),
      ...sourceFaults(workload, objects, secrets),
    ]),
    ...objects.flatMap((object) => selectorFaults(object, workloads)),
    ...objects.flatMap((object) => serviceFaults(object, objects)),
  ]
}

function doubledNames(objects: readonly KubeObject[]): readonly string[] {
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `there are two of ${name}`)
}

function podFaults({ metadata, spec }: Workload): readonly string[] {
  const pod = spec.template.spec
  return [
    ...(pod.enableServiceLinks === false ? [] : ['gets variables for Services, which the program refuses']),
    ...(pod.automountServiceAccountToken === false ? [] : ['gets a token of Kubernetes']),
    ...(isDeepStrictEqual(pod.securityContext, podSecurity) ? [] : ['has another user or more rights']),
  ].map((fault) => `${metadata.name} ${fault}`)
}

function volumeFaults(workload: Workload): readonly string[] {
  const volumes = (workload.spec.template.spec.volumes ?? []).map(({ name }) => name)
  const mounted = containersOf(workload).flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name))
  return [
    ...mounted.filter((name) => !volumes.includes(name)).map((name) => `mounts ${name}: there is no such volume`),
    ...volumes.filter((name) => !mounted.includes(name)).map((name) => `has the volume ${name}, which nothing mounts`),
  ].map((fault) => `${workload.metadata.name} ${fault}`)
}

function containerFaults({ metadata }: Workload, container: Container): readonly string[] {
  const ports = new Set((container.ports ?? []).map(({ name }) => name))
  const probed = probeNames.flatMap((name) => container[name]?.httpGet?.port ?? [])
  const paths = (container.volumeMounts ?? []).map(({ mountPath }) => mountPath)
  return [
    ...(isDeepStrictEqual(container.securityContext, containerSecurity) ? [] : ['has more rights']),
    ...probed.filter((port) => !ports.has(port)).map((port) => `is asked on ${port}: it has no such port`),
    ...paths.filter((path, at) => paths.indexOf(path) !== at).map((path) => `mounts two volumes at ${path}`),
  ].map((fault) => `${metadata.name}: ${container.name} ${fault}`)
}

// A hook runs before the objects of its release exist.
function sourceFaults(
  workload: Workload,
  objects: readonly KubeObject[],
  secrets: readonly string[],
): readonly string[] {
  const isHook = workload.metadata.annotations?.['helm.sh/hook'] !== undefined
  const maps = isHook ? [] : objects.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name)
  const sources = containersOf(workload).flatMap(({ envFrom = [] }) => envFrom)
  const named = [
    ...sources.flatMap(({ secretRef }) => secretRef?.name ?? []),
    ...(workload.spec.template.spec.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
  ]
  return [
    ...sources
      .flatMap(({ configMapRef }) => configMapRef?.name ?? [])
      .filter((name) => !maps.includes(name))
      .map((name) => `reads the ConfigMap ${name}, which does not exist then`),
    ...named.filter((name) => !secrets.includes(name)).map((name) => `reads the Secret ${name}, which no value names`),
  ].map((fault) => `${workload.metadata.name} ${fault}`)
}

function selectorFaults({ kind, metadata, spec }: KubeObject, workloads: readonly Workload[]): readonly string[] {
  const own = workloads.find((one) => one.kind === kind && one.metadata.name === metadata.name)
  const spread = own?.spec.template.spec.topologySpreadConstraints?.map((one) => one.labelSelector.matchLabels) ?? []
  const selector = spec?.selector?.matchLabels ?? spec?.selector
  return [...(selector === undefined ? [] : [selector]), ...spread].flatMap((labels) => {
    const chosen = workloads.filter(({ spec: { template } }) => isPart(labels, template.metadata.labels))
    const isRight = chosen.length === 1 && (own === undefined || chosen[0] === own)
    const names = chosen.map((one) => one.metadata.name).join(', ') || 'nothing'
    return isRight ? [] : [`${kind} ${metadata.name} selects ${names}`]
  })
}

function serviceFaults({ kind, metadata, spec }: KubeObject, objects: readonly KubeObject[]): readonly string[] {
  const services = objects.filter((one) => one.kind === 'Service')
  const backends = (spec?.rules ?? []).flatMap(({ http }) => http.paths.map(({ backend }) => backend.service))
  const reached = backends.map(({ name, port }) => ({ name, port: port.name }))
  const faults = [
    ...reached
      .filter(({ name, port }) =>
        services.every((one) => one.metadata.name !== name || one.spec?.ports?.every((other) => other.name !== port)),
      )
      .map(({ name, port }) => `leads to ${name} ${port}: there is no such Service`),
    ...(spec?.serviceName === undefined || services.some((one) => one.metadata.name === spec.serviceName)
      ? []
      : [`needs the Service ${spec.serviceName}`]),
    ...(kind === 'Service' ? (spec?.ports ?? []) : [])
      .filter(({ targetPort }) => !portsBehind(spec?.selector ?? {}, objects).includes(targetPort))
      .map(({ targetPort }) => `leads to ${targetPort}: no container has that port`),
  ]
  return faults.map((fault) => `${kind} ${metadata.name} ${fault}`)
}

function portsBehind(selector: Labels, objects: readonly KubeObject[]): readonly string[] {
  return workloadsIn(objects)
    .filter(({ spec }) => isPart(selector, spec.template.metadata.labels))
    .flatMap((workload) => containersOf(workload).flatMap(({ ports = [] }) => ports.map(({ name }) => name)))
}

function isPart(labels: Labels, all: Labels): boolean {
  return Object.entries(labels).every(([name, value]) => all[name] === value)
}
