// Builds and runs the renderer in render/, from Debian's packages.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPackage, refreshPackageLists } from '../../../scripts/stack/debian.ts'
import { run } from '../../../scripts/stack/process.ts'
import type { KubeObject } from './kube-object.ts'

export type Rendered = { readonly objects: readonly KubeObject[]; readonly notes: string }

export type Renderer = {
  readonly render: (chart: string, files: readonly string[], release?: string) => Promise<Rendered>
  readonly values: (chart: string, files: readonly string[]) => Promise<unknown>
}

const goPath = '/usr/share/gocode'
// A package, and what it installs.
const packages = [
  ['golang-go', '/usr/bin/go'],
  ['golang-github-masterminds-sprig-dev', `${goPath}/src/github.com/Masterminds/sprig`],
  ['golang-k8s-sigs-yaml-dev', `${goPath}/src/sigs.k8s.io/yaml`],
] as const

export async function buildRenderer(directory: string): Promise<Renderer> {
  await installMissing()
  const program = join(directory, 'render')
  await run(['go', 'build', '-o', program, join(import.meta.dirname, 'render/main.go')], {
    env: {
      PATH: process.env['PATH'],
      GO111MODULE: 'off',
      GOPATH: goPath,
      GOCACHE: join(import.meta.dirname, '../../../.cache/go-build'),
    },
  })
  return {
    render: async (chart, files, release = 'ringproof') => {
      const { objects, notes } = JSON.parse(await run([program, chart, release, ...files])) as {
        objects: { object: KubeObject }[]
        notes: string
      }
      return { objects: objects.map(({ object }) => object), notes }
    },
    values: async (chart, files) =>
      JSON.parse(await run([program, '-values', chart, 'ringproof', ...files])) as unknown,
  }
}

async function installMissing(): Promise<void> {
  const missing = packages.filter(([, path]) => !existsSync(path))
  if (missing.length > 0) await refreshPackageLists()
  for (const [name] of missing) await installPackage(name)
}
