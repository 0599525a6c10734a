// Loads the documentation when its first page is read. Its modules and pages take 8 MB, and most processes never serve one.

import type { DocsRoutes } from '../http/docs/routes.ts'
import type { About } from '../http/docs/site.ts'

export function createDocs(about: About): () => Promise<DocsRoutes> {
  let loading: Promise<DocsRoutes> | undefined
  return () => {
    loading ??= loadDocs(about)
    return loading
  }
}

async function loadDocs(about: About): Promise<DocsRoutes> {
  const [
    { openApiDocument },
    { verifyDocument },
    { readDocs, readDocsAssets },
    { plainPages },
    { docsRoutes },
    { docsSite },
  ] = await Promise.all([
    import('@ringproof/contract/openapi.ts'),
    import('@ringproof/contract/v2/openapi.ts'),
    import('../process/docs-files.ts'),
    import('../http/docs/plain-pages.ts'),
    import('../http/docs/routes.ts'),
    import('../http/docs/site.ts'),
  ])
  const texts = readDocs()
  const site = docsSite(about, { assets: readDocsAssets(), texts })
  const documents = new Map([
    ['/openapi.json', openApiDocument(about)],
    ['/openapi-v2.json', verifyDocument(about.publicUrl)],
  ])
  return docsRoutes(site, plainPages(about, texts), documents)
}
