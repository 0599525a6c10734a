// How Vite builds web/ for the build script and the development server.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { webApi } from '@ringproof/contract/web/api.ts'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { requestSamples } from '../../server/src/http/docs/request-samples.ts'

export const webFolder = join(import.meta.dirname, '../../web')

export function viteSettings(): InlineConfig {
  return {
    root: webFolder,
    configFile: false,
    publicDir: false,
    plugins: [react()],
    define: {
      readNames: JSON.stringify(reads()),
      requestSamples: JSON.stringify(samples()),
      receiverSamples: JSON.stringify(receivers()),
    },
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      // A data: address would need an exception in the content security policy.
      assetsInlineLimit: 0,
      // Older targets compile light-dark() away, and a dark part inside a light page stops working.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: { groups: sharedChunks } } },
    },
  }
}

// What every page loads, in chunks that change at different times.
const sharedChunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack)\// },
  { name: 'icons', test: /node_modules\/lucide-react\// },
]

// The contract cannot be imported by the pages: its schemas would enter the bundle.
function reads() {
  return Object.entries(webApi).flatMap(([name, { verb }]) => (verb === 'GET' ? [name] : []))
}

// The page "Webhooks" shows the examples that tests run, without their first comment.
function receivers() {
  const files = [
    ['Node', 'node/webhook.mjs'],
    ['PHP', 'php/webhook.php'],
    ['Python', 'python/webhook.py'],
    ['Go', 'go/webhook.go'],
    ['curl', 'curl/verify.sh'],
  ] as const
  return files.map(([name, file]) => {
    const text = readFileSync(join(webFolder, '../examples', file), 'utf8')
    return { name, text: text.replace(/^(<\?php\n)?(?:(?:\/\/|#).*\n)+\n?/, '$1').trim() }
  })
}

// The page "Start" shows the same programs as /docs, which tests run. The pages fill in the address, the key and the service.
function samples() {
  return requestSamples('https://ring.example.org', 'initCall', { phone: '79000000001' })
}
