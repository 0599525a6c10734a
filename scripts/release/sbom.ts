// Bills of materials in CycloneDX's format. No scanner guesses: the list of packages is read from the finished file, and what npm
// knows about each (digest, licence, what it depends on) comes from the lockfile.

import { repository } from '../image/program.ts'
import { run } from '../stack/process.ts'
import type { Contents, DebianPackage } from './contents.ts'
import { version } from './version.ts'

type Component = {
  readonly 'bom-ref': string
  readonly type: string
  readonly name: string
  readonly version: string
  readonly [field: string]: unknown
}
type Dependency = { readonly ref: string; readonly dependsOn: readonly string[] }
export type Sbom = {
  readonly specVersion: string
  readonly metadata: { readonly tools: unknown; readonly [field: string]: unknown }
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
}

type Subject = {
  readonly type: 'container' | 'application'
  readonly name: string
  readonly purl: string
  // Of the file.
  readonly sha256: string
}

/** Everything that the lockfile names, as npm describes it. */
export async function lockedPackages(): Promise<Sbom> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline']
  return JSON.parse(await run(['npm', ...args], { cwd: repository })) as Sbom
}

/** The bill of materials of one file, with the date of the commit. */
export function billOf(subject: Subject, contents: Contents, locked: Sbom, time: string): Sbom {
  const components = [...npmComponents(contents, locked), ...contents.debian.map(debianComponent)]
  const refs = new Set(components.map((component) => component['bom-ref']))
  const root = { ref: subject.purl, dependsOn: [...refs] }
  const known = locked.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  const { name, type, purl, sha256 } = subject
  return {
    ...locked,
    // npm draws it at random.
    serialNumber: undefined,
    metadata: {
      timestamp: new Date(Number(time) * 1000).toISOString(),
      lifecycles: [{ phase: 'build' }],
      tools: locked.metadata.tools,
      component: {
        'bom-ref': purl,
        type,
        name,
        version,
        purl,
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      },
    },
    components,
    dependencies: [root, ...known],
  } as Sbom
}

function npmComponents({ npm }: Contents, locked: Sbom): readonly Component[] {
  const byRef = new Map(locked.components.map((component) => [component['bom-ref'], component]))
  const refs = [...new Set(npm.map((one) => `${one.name}@${one.version}`))].toSorted()
  return refs.map((ref) => {
    const component = byRef.get(ref)
    if (component === undefined) throw new Error(`${ref} was installed, but the lockfile does not name it`)
    // npm takes what the web pages contain for tools of developers.
    const shipped = { ...component, scope: 'required', properties: [] }
    return component.name.startsWith('node-linux-') ? { ...shipped, cpe: nodeCpe(component.version) } : shipped
  })
}

// The name under which vulnerabilities of Node are published.
const nodeCpe = (node: string) => `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`

function debianComponent(one: DebianPackage): Component {
  const purl = debianPurl(one)
  return {
    'bom-ref': purl,
    type: 'library',
    name: one.name,
    version: one.version,
    purl,
    supplier: { name: one.maintainer },
    hashes: [{ alg: 'SHA-256', content: one.sha256 }],
  }
}

export function debianPurl({ name, version: packageVersion, architecture }: DebianPackage): string {
  return `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(packageVersion)}?arch=${architecture}`
}
