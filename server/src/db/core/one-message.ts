// Reads that begin in the same moment, sent as one message: they take one connection and one round trip instead of one each.

import type { QueryResult } from 'pg'
import type { Session } from './database.ts'

type Waiting = { readonly text: string; readonly reading: PromiseWithResolvers<QueryResult> }

/** For reads without parameters: PostgreSQL takes several statements in a message only without them. */
export function inOneMessage(database: Session): Session {
  let waiting: Waiting[] = []
  const send = async (reads: readonly Waiting[]) => {
    const results: unknown = await database.query(reads.map(({ text }) => text).join(';\n'))
    // One statement has one result, and not a list of one.
    const all = (Array.isArray(results) ? results : [results]) as QueryResult[]
    for (const [at, { reading }] of reads.entries()) {
      const result = all[at]
      if (result) reading.resolve(result)
      else reading.reject(new Error('a read got no result'))
    }
  }
  const sendWaiting = () => {
    const reads = waiting
    waiting = []
    send(reads).catch((error: unknown) => {
      for (const { reading } of reads) reading.reject(error)
    })
  }
  const query = async (text: string): Promise<QueryResult> => {
    const reading = Promise.withResolvers<QueryResult>()
    if (waiting.length === 0) queueMicrotask(sendWaiting)
    waiting.push({ text, reading })
    return reading.promise
  }
  return { query } as Session
}
