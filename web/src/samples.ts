import type { Me } from './queries.ts'

export type Sample = { readonly name: string; readonly text: string }

// The programs of /docs, put here by the build; tests run them.
declare const requestSamples: readonly Sample[]

const sampleUrl = 'https://ring.example.org'

// Values that are filled in stand between « and », so that the page can underline them.
export function filledSamples(
  { publicUrl }: Me['installation'],
  serviceId: number,
  key: string | undefined,
): readonly Sample[] {
  const shownKey = `«${key ?? 'YOUR_KEY'}»`
  const shownId = `«${serviceId}»`
  const places: readonly [string, string][] = [
    [sampleUrl, `«${publicUrl}»`],
    ['$KEY.$SERVICE_ID', `${shownKey}.${shownId}`],
    [`getenv('KEY') . '.' . getenv('SERVICE_ID')`, `'${shownKey}.${shownId}'`],
    [`"+os.Getenv("KEY")+"."+os.Getenv("SERVICE_ID")`, `${shownKey}.${shownId}"`],
    ['${process.env.KEY}.${process.env.SERVICE_ID}', `${shownKey}.${shownId}`],
    [`{os.environ['KEY']}.{os.environ['SERVICE_ID']}`, `${shownKey}.${shownId}`],
  ]
  return requestSamples.map(({ name, text }) => ({
    name,
    text: places.reduce((filled, [place, value]) => filled.replaceAll(place, value), text),
  }))
}

export function envFile({ publicUrl }: Me['installation'], serviceId: number, key: string): string {
  return `RINGPROOF_URL=${publicUrl}\nRINGPROOF_SERVICE=${serviceId}\nRINGPROOF_KEY=${key}\n`
}
