// Mistakes that the checks of the chart must find, each with what they say.

// In values, as the schema of the values finds them.
export const valuesMistakes: readonly (readonly [text: string, fault: RegExp])[] = [
  ['existingSecret: ""', /existingSecret must match pattern/],
  ['existingSecret: null', /must have required property 'existingSecret'/],
  ['keys: { existingSecret: "" }', /keys\/existingSecret must match pattern/],
  ['replicas: 3', /must NOT have additional properties/],
  ['api: { replicas: "3" }', /api\/replicas must be integer/],
  ['api: { replicas: 0 }', /api\/replicas must be >= 1/],
  ['api: { image: other }', /api must NOT have additional properties/],
  ['node: { edge: true }', /node\/edge must be object/],
  ['config: { RINGPROOF_EDGE_URL: "udp://127.0.0.1:5070" }', /config property name must be valid/],
  ['config: { RINGPROOF_DRAIN_SECONDS: 10 }', /config\/RINGPROOF_DRAIN_SECONDS must be string/],
  ['config: { RINGPROOF_DRAIN_SECOND: "10" }', /config property name must be valid/],
  ['config: { RINGPROOF_DATABASE_URL: postgres://db/ringproof }', /config property name must be valid/],
  ['config: { RINGPROOF_HTTP_PORT: "80" }', /config property name must be valid/],
  ['image: { prefix: registry.example.org }', /image\/prefix must match pattern/],
  ['ingress: { enabled: true }', /config must have required property 'RINGPROOF_PUBLIC_URL'/],
  [
    'ingress: { enabled: true, tlsSecret: a }\nconfig: { RINGPROOF_PUBLIC_URL: "http://a.example.org" }',
    /RINGPROOF_PUBLIC_URL must match pattern/,
  ],
  [
    'ingress: { enabled: true }\nconfig: { RINGPROOF_PUBLIC_URL: "https://a.example.org" }',
    /ingress\/tlsSecret must NOT have fewer than 1 characters/,
  ],
]

// In templates: the file, what to replace, and by what.
export const templateMistakes: readonly (readonly [file: string, good: string, bad: string, fault: RegExp])[] = [
  ['processes.yaml', 'strategy:', 'strategies:', /strategies/],
  [
    'processes.yaml',
    'replicas: {{ $process.replicas }}',
    'replicas: {{ quote $process.replicas }}',
    /replicas must be/,
  ],
  ['node.yaml', 'kind: StatefulSet', 'kind: StatefulSets', /no such kind/],
  ['node.yaml', '  podManagementPolicy: Parallel', '  replicas: 1', /already set in map/],
  ['api.yaml', 'targetPort: http }', 'targetPort: web }', /no container has that port/],
  ['node.yaml', 'node.hostNetwork', 'node.hostNetworks', /no entry for key "hostNetworks"/],
  ['processes.yaml', '| nindent 10 }}\n          env:', '| nident 10 }}\n          env:', /"nident" not defined/],
  ['_shared.tpl', 'enableServiceLinks: false', 'enableServiceLinks: true', /variables for Services/],
  ['_shared.tpl', '65532', '0', /another user/],
  ['_shared.tpl', 'readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false', /has more rights/],
  ['_shared.tpl', '{{ .root.Release.Name }}-{{ .component }}', 'budget', /two of PodDisruptionBudget/],
  ['_shared.tpl', 'component: {{ .component }}', 'component: all', /selects ringproof-/],
  [
    'migrate.yaml',
    'envFrom:',
    'envFrom:\n            - configMapRef: { name: ringproof-settings }',
    /does not exist then/,
  ],
  ['node.yaml', 'name: tmp, emptyDir', 'name: temp, emptyDir', /mounts tmp: there is no such volume/],
  ['node.yaml', '(dict "port" "metrics"', '(dict "port" "http"', /it has no such port/],
  ['node.yaml', 'serviceName: {{ .Release.Name }}-node', 'serviceName: node', /needs the Service node/],
  ['api.yaml', 'service: { name: {{ $.Release.Name }}-api', 'service: { name: api', /there is no such Service/],
]
