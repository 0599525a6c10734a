// The program of the thread that compares two versions. It ends with one message: the difference.

import { parentPort, workerData } from 'node:worker_threads'
import { diffVersions, type VersionPair } from './diff-versions.ts'

const { dir, pair } = workerData as { readonly dir: string; readonly pair: VersionPair }
parentPort?.postMessage(await diffVersions(dir, pair))
