{{/* Most of these take a dict: `root`, the whole context, and `component`, which kind of pod it is. */}}

{{/* What never changes, because a selector cannot. */}}
{{- define "ringproof.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "ringproof.labels" -}}
{{ include "ringproof.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "ringproof.podMetadata" -}}
labels: {{- include "ringproof.labels" . | nindent 2 }}
annotations:
  # A changed setting replaces the pods.
  checksum/config: {{ .root.Values.config | toJson | sha256sum }}
  prometheus.io/scrape: "true"
  prometheus.io/port: "9464"
{{- end }}

{{/* What all pods have in common. */}}
{{- define "ringproof.pod" -}}
# Kubernetes would describe our Services in variables named RINGPROOF_…, and the program refuses to start with one it does not know.
enableServiceLinks: false
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Spreads the pods of a component over machines and zones, as far as there are any. */}}
{{- define "ringproof.spread" -}}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- topologyKey: {{ . }}
  maxSkew: 1
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "ringproof.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{- define "ringproof.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* The image of the program, or with a suffix one of the others. */}}
{{- define "ringproof.image" -}}
{{ .root.Values.image.prefix }}ringproof{{ .suffix }}:{{ .root.Chart.AppVersion }}
{{- end }}

{{/* Takes `root` and `component`: each kind of pod has a separate login at PostgreSQL. */}}
{{- define "ringproof.settings" -}}
{{- $own := index .root.Values .component }}
envFrom:
  - configMapRef: { name: {{ .root.Release.Name }}-settings }
  - secretRef: { name: {{ required "existingSecret is empty" .root.Values.existingSecret }} }
  - secretRef: { name: {{ required (printf "%s.existingSecret is empty" .component) $own.existingSecret }} }
{{- end }}

{{- define "ringproof.keysMount" -}}
- { name: keys, mountPath: /run/ringproof, readOnly: true }
{{- end }}

{{- define "ringproof.filesMount" -}}
{{- if .Values.files.existingSecret }}
- { name: files, mountPath: /etc/ringproof/files, readOnly: true }
{{- end }}
{{- end }}

{{/* A pod cannot own the files of a Secret: the program would find keys that its whole group can read, and refuse them. So they are
     copied into memory. A container that is restarted copies them again. */}}
{{- define "ringproof.copyKeys" -}}
- name: keys
  image: {{ include "ringproof.image" (dict "root" . "suffix" "") }}
  command:
    - node
    - -e
    - |
      const { chmodSync, copyFileSync, mkdirSync, readdirSync, rmSync } = require('node:fs')
      const [, from, to] = process.argv
      rmSync(to, { recursive: true, force: true })
      mkdirSync(to, { mode: 0o700 })
      for (const name of readdirSync(from).filter((one) => /\.(key|active)$/.test(one))) {
        copyFileSync(`${from}/${name}`, `${to}/${name}`)
        chmodSync(`${to}/${name}`, 0o400)
      }
    - /etc/ringproof/keys
    - /run/ringproof/keys
  {{- include "ringproof.containerSecurity" . | nindent 2 }}
  volumeMounts:
    - { name: keys-secret, mountPath: /etc/ringproof/keys, readOnly: true }
    - { name: keys, mountPath: /run/ringproof }
{{- end }}

{{/* 288 is 0440. */}}
{{- define "ringproof.volumes" -}}
- name: keys-secret
  secret: { secretName: {{ required "keys.existingSecret is empty" .Values.keys.existingSecret }}, defaultMode: 288 }
- { name: keys, emptyDir: { medium: Memory } }
{{- include "ringproof.filesVolume" . }}
{{- end }}

{{- define "ringproof.filesVolume" -}}
{{- with .Values.files.existingSecret }}
- { name: files, secret: { secretName: {{ . }}, defaultMode: 288 } }
{{- end }}
{{- end }}

{{/* Often while it starts, and seldom afterwards. Takes a dict: `port`, `ready` and `alive`. */}}
{{- define "ringproof.probes" -}}
startupProbe: { httpGet: { port: {{ .port }}, path: {{ .ready }} }, periodSeconds: 2, timeoutSeconds: 5, failureThreshold: 30 }
readinessProbe: { httpGet: { port: {{ .port }}, path: {{ .ready }} }, periodSeconds: 5, timeoutSeconds: 5 }
livenessProbe: { httpGet: { port: {{ .port }}, path: {{ .alive }} }, periodSeconds: 15, timeoutSeconds: 5, failureThreshold: 4 }
{{- end }}

{{/* While a machine is emptied, one pod of a component is missing at a time. With a single pod it would forbid emptying. Takes a
     dict: `root`, `component` and `replicas`. */}}
{{- define "ringproof.disruptionBudget" -}}
{{- if gt (int .replicas) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .root.Release.Name }}-{{ .component }}
  labels: {{- include "ringproof.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "ringproof.selector" . | nindent 6 }}
{{- end }}
{{- end }}
