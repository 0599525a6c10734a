// Runs as `npm run web`: the pages with reload on change. The API comes from a server that runs already.

import { createServer } from 'vite'
import { viteSettings } from './vite-settings.ts'

const api = process.argv[2] ?? 'http://localhost:8080'
const server = await createServer({ ...viteSettings(), server: { proxy: { '/web': api, '/docs': api } } })
await server.listen()
server.printUrls()
