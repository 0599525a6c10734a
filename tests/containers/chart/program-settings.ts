// The environment in which Kubernetes would start a container of ours: what the image sets, then envFrom in order, then env.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
