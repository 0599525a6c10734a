// Images with the names of published ones, made of Debian's packages: a machine without a registry tests compose.yaml as it is.

import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { thisArchitecture } from '../../scripts/image/architecture.ts'
import { type Base, cacheDirectory, debianBase } from '../../scripts/image/base.ts'
import { buildah } from '../../scripts/image/build.ts'

type StandIn = Omit<Base, 'name'> & { readonly reference: string }

const standIns = {
  postgres: {
    reference: 'docker.io/library/postgres:17',
    suite: 'trixie',
    packages: ['base-files', 'ca-certificates', 'dash', 'coreutils', 'tzdata', 'postgresql-17'],
  },
  patroni: {
    reference: 'localhost/ringproof-patroni:17',
    suite: 'trixie',
    packages: [
      'base-files',
      'ca-certificates',
      'dash',
      'coreutils',
      'tzdata',
      'postgresql-17',
      'patroni',
      'python3-etcd',
    ],
  },
  etcd: {
    reference: 'quay.io/coreos/etcd:v3.5.21',
    suite: 'trixie',
    packages: ['base-files', 'ca-certificates', 'etcd-server', 'etcd-client'],
  },
  nats: {
    reference: 'docker.io/library/nats:2-alpine',
    suite: 'forky',
    // The published image has the wget of busybox.
    packages: ['base-files', 'ca-certificates', 'wget', 'nats-server'],
  },
  prometheus: {
    reference: 'docker.io/prom/prometheus:v3.5.0',
    suite: 'forky',
    packages: ['base-files', 'ca-certificates', 'prometheus'],
  },
} as const satisfies Readonly<Record<string, StandIn>>

/** Builds the images and returns their archives for `docker load`. */
export async function buildStandIns(...names: readonly (keyof typeof standIns)[]): Promise<readonly string[]> {
  const archives: string[] = []
  for (const name of names) archives.push(await build(name, standIns[name]))
  return archives
}

async function build(name: string, { reference, ...base }: StandIn): Promise<string> {
  const context = mkdtempSync(join(tmpdir(), 'ringproof-stand-in-'))
  try {
    cpSync(join(import.meta.dirname, 'stand-ins', name), context, { recursive: true })
    copyFileSync(await debianBase({ ...base, name: `stand-in-${name}` }, thisArchitecture()), join(context, 'base.tar'))
    mkdirSync(join(context, 'data'))
    mkdirSync(join(context, 'run/postgresql'), { recursive: true })
    chmodSync(join(context, 'run/postgresql'), 0o3777)
    await buildah('build', ['--format=docker', '--layers=false', '--quiet', `--tag=${reference}`, context])
    const archive = join(cacheDirectory, `stand-in-${name}-image.tar`)
    rmSync(archive, { force: true })
    await buildah('push', ['--quiet', reference, `docker-archive:${archive}:${reference}`])
    await buildah('rmi', [reference])
    return archive
  } finally {
    rmSync(context, { recursive: true })
  }
}
