// The call queue's streams, subjects and limits. A trunk belongs to one stream, because its consumer's max_ack_pending is the
// trunk's channel limit across all nodes, and two consumers would split the limit. A stream holds many trunks. All names
// start with the installation's prefix, so several installations can share one NATS.

import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream'
import type { AccountId, ServiceId } from '../../domain/core/slot.ts'
import { secondsOf } from '../../domain/values/period.ts'
import { retention } from '../../domain/values/retention.ts'

export const callStreams = {
  count: 1,
  ageSeconds: secondsOf(retention.callOrders.kept),
  // Above this a publish is refused, the API responds with code 5 and the hold is released.
  messagesPerTrunkMax: 10_000,
  // Short, and extended during a call, so that a dead worker's channel is soon free again.
  ackWaitSeconds: 5,
} as const

export type StreamNames = {
  readonly streams: readonly string[]
  readonly streamOf: (trunk: string) => string
  readonly subjectOf: (trunk: string) => string
  readonly aliveSubject: string
  readonly numberingSubject: string
  readonly registryFetchSubject: string
  readonly liveSubjectOf: (accountId: AccountId) => string
  readonly phoneSubject: string
  readonly trunkTestSubject: string
  readonly listenSubjectOf: (serviceId: ServiceId) => string
  readonly vaultBucket: string
  readonly repeatBucket: string
  readonly ladderBucket: string
}

export function streamNames(prefix: string): StreamNames {
  const indexOf = (trunk: string) =>
    [...trunk].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0) % callStreams.count
  return {
    streams: Array.from({ length: callStreams.count }, (_, index) => `${prefix}-calls-${index}`),
    streamOf: (trunk) => `${prefix}-calls-${indexOf(trunk)}`,
    subjectOf: (trunk) => `${prefix}.calls.${indexOf(trunk)}.${trunk}`,
    aliveSubject: `${prefix}.nodes.alive`,
    numberingSubject: `${prefix}.numbering.new`,
    registryFetchSubject: `${prefix}.numbering.fetch`,
    liveSubjectOf: (accountId) => `${prefix}.live.${accountId}`,
    phoneSubject: `${prefix}.phones.command`,
    trunkTestSubject: `${prefix}.trunks.test`,
    listenSubjectOf: (serviceId) => `${prefix}.listen.${serviceId}`,
    vaultBucket: `${prefix}-vault`,
    repeatBucket: `${prefix}-repeats`,
    ladderBucket: `${prefix}-verifications`,
  }
}

export function consumerOf(trunk: string): string {
  return `trunk-${trunk}`
}

export function streamConfigs(
  prefix: string,
  timeScale: number,
): readonly (Partial<StreamConfig> & { name: string })[] {
  return streamNames(prefix).streams.map((name, index) => ({
    name,
    subjects: [`${prefix}.calls.${index}.*`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    max_age: nanoseconds(callStreams.ageSeconds * timeScale),
    duplicate_window: nanoseconds(Math.min(callStreams.ageSeconds * timeScale, 1)),
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: callStreams.messagesPerTrunkMax,
    allow_atomic: true,
  }))
}

export function nanoseconds(seconds: number): number {
  return Math.round(Math.max(seconds, 0.1) * 1e9)
}
