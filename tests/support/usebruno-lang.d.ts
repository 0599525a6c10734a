// The part of Bruno's parser that is used here; it has no types.

declare module '@usebruno/lang' {
  export function bruToJsonV2(text: string): {
    http: { method: string; url: string; body: string; auth: string }
    body: { json: string }
    vars?: { res?: { value: string }[] }
  }
  export function bruToEnvJsonV2(text: string): { variables: { name: string }[] }
  export function collectionBruToJson(text: string): { auth: { bearer: { token: string } } }
}
