import { isBuiltin } from 'node:module'
import { packageName } from './knowledge-laws.ts'
import type { Complaint, Law, Manifest, Tree } from './read-tree.ts'

const dependencyCountMax = 18
const dependencyDocs = 'docs/operations/dependencies.md'
const serverManifest = 'server/package.json'

export const undeclaredLaw: Law = (tree) => {
  const { root, server, contract, sdk, web } = tree.manifests
  const everything = [
    ...allOf(root),
    ...runtimeOf(server),
    ...runtimeOf(contract),
    ...allOf(web),
    server.name,
    contract.name,
    sdk.name,
  ]
  const places = [
    { folder: 'contract/src/', declared: new Set(runtimeOf(contract)), manifest: 'contract/package.json' },
    { folder: 'server/src/', declared: new Set(runtimeOf(server)), manifest: serverManifest },
    { folder: 'web/src/', declared: new Set(allOf(web)), manifest: 'web/package.json' },
    { folder: 'tests/', declared: new Set(everything), manifest: 'package.json' },
    { folder: 'scripts/', declared: new Set(everything), manifest: 'package.json' },
  ]
  return tree.modules.flatMap((module): Complaint[] => {
    const place = places.find(({ folder }) => module.path.startsWith(folder))
    if (place === undefined) return []
    return module.imports
      .filter((one) => one.target === undefined && !isBuiltin(one.specifier))
      .map((one) => ({ line: one.line, name: packageName(one.specifier) }))
      .filter(({ name }) => !place.declared.has(name))
      .map(({ line, name }) => ({
        path: module.path,
        line,
        text: `imports ${name}: ${place.manifest} does not declare it`,
      }))
  })
}

export const unusedLaw: Law = (tree) => {
  const modules = tree.modules.filter((module) => module.path.startsWith('server/src/'))
  const imported = new Set(modules.flatMap((module) => module.imports.map((one) => packageName(one.specifier))))
  return runtimeOf(tree.manifests.server)
    .filter((name) => !imported.has(name))
    .map((name) => ({ path: serverManifest, text: `declares ${name}: no file of server/src imports it` }))
}

export const dependencyCountLaw: Law = (tree) => {
  const count = outsideDependencies(tree).length
  if (count <= dependencyCountMax) return []
  const text = `declares ${count} runtime dependencies: the server has at most ${dependencyCountMax}`
  return [{ path: serverManifest, text }]
}

export const dependencyDocsLaw: Law = (tree) => {
  if (!tree.files.includes(dependencyDocs)) return [{ path: dependencyDocs, text: 'is missing' }]
  const rows = tree.readText(dependencyDocs).split('\n')
  const documented = new Set(rows.map((row) => /^\|\s*`([^`]+)`\s*\|/.exec(row)?.[1]))
  return outsideDependencies(tree)
    .filter((name) => !documented.has(name))
    .map((name) => ({ path: dependencyDocs, text: `has no row that starts with \`${name}\`` }))
}

// The contract is part of this repository, not a third-party dependency.
function outsideDependencies(tree: Tree): string[] {
  return runtimeOf(tree.manifests.server).filter((name) => name !== tree.manifests.contract.name)
}

function runtimeOf(manifest: Manifest): string[] {
  return [...Object.keys(manifest.dependencies), ...Object.keys(manifest.optionalDependencies)]
}

function allOf(manifest: Manifest): string[] {
  return [...runtimeOf(manifest), ...Object.keys(manifest.devDependencies)]
}
