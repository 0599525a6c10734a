// What the tests of the chart read of a Kubernetes object. Kubernetes' own schemas hold all of it.

type Labels = Readonly<Record<string, string>>

export type KubeObject = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Labels; readonly annotations?: Labels }
  // Of a ConfigMap.
  readonly data?: Labels
  readonly spec?: Spec
}

type Spec = {
  readonly replicas?: number
  readonly serviceName?: string
  // Of a workload or a disruption budget { matchLabels }, of a Service the labels themselves.
  readonly selector?: { readonly matchLabels?: Labels } & Partial<Labels>
  readonly template?: {
    readonly metadata: { readonly labels: Labels; readonly annotations?: Labels }
    readonly spec: PodSpec
  }
  readonly ports?: readonly { readonly name: string; readonly targetPort: string }[]
  readonly rules?: readonly {
    readonly host: string
    readonly http: { readonly paths: readonly { readonly backend: { readonly service: Backend } }[] }
  }[]
  readonly tls?: readonly { readonly hosts: readonly string[]; readonly secretName: string }[]
}

type Backend = { readonly name: string; readonly port: { readonly name: string } }

export type PodSpec = {
  readonly enableServiceLinks?: boolean
  readonly automountServiceAccountToken?: boolean
  readonly hostNetwork?: boolean
  readonly securityContext?: unknown
  readonly terminationGracePeriodSeconds?: number
  readonly topologySpreadConstraints?: readonly { readonly labelSelector: { readonly matchLabels: Labels } }[]
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[]
  readonly volumes?: readonly {
    readonly name: string
    readonly secret?: { readonly secretName: string }
  }[]
}

export type Container = {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly restartPolicy?: string
  readonly env?: readonly {
    readonly name: string
    readonly value?: string
    readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } }
  }[]
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string }
    readonly secretRef?: { readonly name: string }
  }[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly securityContext?: unknown
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[]
} & { readonly [Name in ProbeName]?: Probe }

export const probeNames = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const
type ProbeName = (typeof probeNames)[number]
type Probe = {
  readonly httpGet?: { readonly port: string; readonly path: string }
  readonly exec?: { readonly command: readonly string[] }
}

export type Workload = KubeObject & { readonly spec: Spec & { readonly template: NonNullable<Spec['template']> } }

export function workloadsIn(objects: readonly KubeObject[]): readonly Workload[] {
  return objects.filter((one): one is Workload => one.spec?.template !== undefined)
}

export function containersOf({ spec }: Workload): readonly Container[] {
  const { initContainers = [], containers } = spec.template.spec
  return [...initContainers, ...containers]
}
