// The environment in which Kubernetes would start a container of ours: what the image sets, then envFrom in order, then env.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loginOf, processRoles } from '../../../server/src/domain/core/database-role.ts'
import { type Container, containersOf, type KubeObject, workloadsIn } from './kube-object.ts'

export const imageFiles = {
  ringproof: 'Containerfile',
  'ringproof-node': 'Containerfile.node',
  'ringproof-asterisk': 'Containerfile.asterisk',
  'ringproof-edge': 'Containerfile.edge',
} as const
export type ImageName = keyof typeof imageFiles

export type ProgramStart = {
  readonly pod: string
  readonly container: Container
  readonly environment: Readonly<Record<string, string>>
}

const images = join(import.meta.dirname, '../../../deploy/image')

export function readImageFile(name: ImageName): string {
  return readFileSync(join(images, imageFiles[name]), 'utf8')
}

// The containers that run the program: Asterisk and the copying of keys are other programs.
export function programStarts(
  objects: readonly KubeObject[],
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>,
): readonly ProgramStart[] {
  const maps = new Map(objects.map(({ metadata, data = {} }) => [metadata.name, data]))
  return workloadsIn(objects).flatMap((workload) =>
    containersOf(workload)
      .filter(({ args }) => args !== undefined)
      .map((container) => ({
        pod: workload.metadata.name,
        container,
        environment: {
          ...imageEnvironment(imageNameOf(container)),
          ...Object.assign(
            {},
            ...(container.envFrom ?? []).map(({ configMapRef, secretRef }) =>
              configMapRef ? maps.get(configMapRef.name) : secrets[secretRef?.name ?? ''],
            ),
          ),
          ...Object.fromEntries(
            (container.env ?? []).map(({ name, value, valueFrom }) => [
              name,
              value ?? fieldOf(valueFrom?.fieldRef.fieldPath, workload.metadata.name),
            ]),
          ),
        },
      })),
  )
}

export function imageNameOf({ image }: Container): ImageName {
  return /([^/]+):[^:]+$/.exec(image)?.[1] as ImageName
}

function imageEnvironment(name: ImageName): Record<string, string> {
  return Object.fromEntries(
    [...readImageFile(name).matchAll(/\b(RINGPROOF_\w+)=(\S+)/g)].map(([, setting = '', value = '']) => [
      setting,
      value,
    ]),
  )
}

// What Kubernetes fills in, for the pod with the longest name of a StatefulSet.
function fieldOf(path: string | undefined, workload: string): string {
  if (path === 'metadata.name') return `${workload}-99`
  if (path === 'status.podIP') return '192.0.2.1'
  throw new Error(`no value is known for ${path}`)
}

// Every process connects with the login of exactly its roles, and only the pod for commands has the Secret of the command line.
export function loginFaults(starts: readonly ProgramStart[], objects: readonly KubeObject[]): readonly string[] {
  const processes = starts.filter(({ container }) => container.args?.[0] === 'serve')
  const strangers = processes.filter(({ container, environment }) => {
    const roles = container.args?.[2]?.split(',') ?? []
    const own = loginOf(processRoles.filter((role) => roles.includes(role)))
    const urls = environment['RINGPROOF_DATABASE_URL'] ?? environment['RINGPROOF_SHARD_URLS'] ?? ''
    const logins = [...urls.matchAll(/postgres:\/\/(\w+):/g)].map(([, login]) => login)
    return logins.length === 0 || logins.some((login) => login !== own)
  })
  const secretsOf = (name: RegExp) =>
    workloadsIn(objects)
      .filter(({ metadata }) => name.test(metadata.name))
      .flatMap((workload) => containersOf(workload).flatMap(({ envFrom = [] }) => envFrom))
      .filter(({ secretRef }) => secretRef?.name.endsWith('-cli'))
  return [
    ...strangers.map(({ pod }) => `${pod} connects as another`),
    ...(secretsOf(/-cli$/).length === 1 ? [] : ['the pod for commands cannot connect']),
    ...(secretsOf(/-(api|webhooks|keeper|node)$/).length === 0 ? [] : ['a process has the login of the command line']),
  ]
}
