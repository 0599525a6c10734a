// The streams of the dispatch, their subjects and their bounds, in one table. A trunk lives in one stream, because a
// consumer's max_ack_pending is its limit of channels over all nodes, and a split consumer would split the limit; a stream
// holds many trunks. Everything begins with the installation's prefix, so that several may share a NATS.

import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream'

export const callStreams = {
  count: 1,
  // A call that has not started by then may not start any more.
  ageSeconds: 60,
  // Above it a publish is refused, and the API answers code 5 before money has moved for long.
  messagesPerTrunkMax: 10_000,
  // Short, and extended while a call lives, so that a dead worker's channel is free again soon.
  ackWaitSeconds: 5,
} as const

export type StreamNames = {
  readonly streams: readonly string[]
  readonly streamOf: (trunk: string) => string
  readonly subjectOf: (trunk: string) => string
  readonly aliveSubject: string
  readonly numberingSubject: string
  readonly vaultBucket: string
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
    vaultBucket: `${prefix}-vault`,
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
