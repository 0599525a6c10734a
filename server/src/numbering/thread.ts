import type { Worker } from 'node:worker_threads'

// The one message of a thread, which then ends.
export async function messageOf<Message>(worker: Worker): Promise<Message> {
  try {
    return await new Promise<Message>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('the thread ended without a result')))
    })
  } finally {
    await worker.terminate()
  }
}
