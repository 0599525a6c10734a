// The Link header of every refusal: the page that explains its code. With the default public URL, which is right only on this
// machine, it is relative to the address of the request.

export type ErrorLink = (code: number) => string

export function errorLinkOf(publicUrl: string): ErrorLink {
  const base = docsBaseOf(publicUrl)
  return (code) => `<${base}/docs/errors/${code}>; rel="help"`
}

// The type of a problem of /v2, which is the page that explains it.
export function problemTypeOf(publicUrl: string): (code: string) => string {
  const base = docsBaseOf(publicUrl)
  return (code) => `${base}/docs/problems#${code}`
}

function docsBaseOf(publicUrl: string): string {
  return isOnlyHere(new URL(publicUrl).hostname) ? '' : publicUrl
}

function isOnlyHere(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
