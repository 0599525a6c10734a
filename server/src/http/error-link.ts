// The Link header of every refusal: the page that explains its code. With the default public URL, which is right only on this
// machine, it is relative to the address of the request.

export type ErrorLink = (code: number) => string

export function errorLinkOf(publicUrl: string): ErrorLink {
  const base = isOnlyHere(new URL(publicUrl).hostname) ? '' : publicUrl
  return (code) => `<${base}/docs/errors/${code}>; rel="help"`
}

function isOnlyHere(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
