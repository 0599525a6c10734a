import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { Button } from '../../parts/forms/Button.tsx'
import { outcomeSentence, type PhoneCall } from '../../parts/phone/call-status.ts'
import { Code, CopyButton } from '../../parts/text/Code.tsx'
import { Mistake } from '../../parts/text/State.tsx'
import { CodeTabs } from '../../parts/text/Tabs.tsx'
import { useChange, useMe, useRead } from '../../queries.ts'
import { filledSamples } from '../../samples.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import type { NewKey } from './KeySteps.tsx'
import { Step, type StepHead } from './Step.tsx'
import css from './start.module.css'
import type { StartData } from './start-data.ts'

export const goodNumber = '79000000001'
const badNumber = '79000000002'
const freshMs = 600_000

export function CallStep({
  step,
  service,
  newKey,
  children,
}: {
  readonly step: StepHead
  readonly service: StartData['service']
  readonly newKey: NewKey | undefined
  readonly children: ReactNode
}) {
  const words = useScreenWords('start')
  const failed = useFreshCall(badNumber)
  if (service === null) return <Step {...step} title={words.call} />
  const key = newKey?.serviceId === service.id ? newKey.key : undefined
  return (
    <Step {...step} title={words.call} note={key === undefined ? words.callNoKey : words.callNote}>
      <Samples serviceId={service.id} apiKey={key} />
      <RunHere serviceId={service.id} failed={failed} />
      {children}
    </Step>
  )
}

// The last call to a number, unless it is old.
export function useFreshCall(number: string): PhoneCall | undefined {
  const { data } = useRead('phones')
  return data?.calls.find((call) => call.number === number && Date.now() - call.startedAt < freshMs)
}

function Samples({ serviceId, apiKey }: { readonly serviceId: number; readonly apiKey: string | undefined }) {
  const words = useScreenWords('start')
  const { installation } = useMe()
  const samples = filledSamples(installation, serviceId, apiKey)
  const [language, setLanguage] = useState(() => localStorage.getItem('sample') ?? 'curl')
  const chosen = samples.find(({ name }) => name === language) ?? samples[0]
  if (chosen === undefined) return null
  return (
    <CodeTabs
      value={chosen.name}
      onChange={(next) => {
        setLanguage(next)
        localStorage.setItem('sample', next)
      }}
      of={samples.map(({ name, text }) => ({
        value: name,
        panel: <Code text={text} label={words.sample(name)} />,
      }))}
      action={<CopyButton text={chosen.text} />}
    />
  )
}

function RunHere({ serviceId, failed }: { readonly serviceId: number; readonly failed: PhoneCall | undefined }) {
  const words = useScreenWords('start')
  const { state } = useWords()
  const isBuilder = useIsBuilder()
  const { mutate, data, isPending, error } = useChange('run-here', ['phones', 'start'])
  const run = (phone: string) => mutate({ serviceId, method: 'initCall', phone, mode: 'flash' })
  if (!isBuilder) return <p className={css.note}>{state.onlyBuilders}</p>
  return (
    <>
      <div className={css.run}>
        <Button look="marker" disabled={isPending} onClick={() => run(goodNumber)}>
          <Play size={15} fill="currentColor" />
          {data === undefined ? words.run : words.again}
        </Button>
        <Button look="ghost" isSmall disabled={isPending} onClick={() => run(badNumber)}>
          {words.fail}
        </Button>
      </div>
      <Mistake error={error} />
      {data === undefined ? (
        <p className={css.waiting}>{words.waiting}</p>
      ) : (
        <Response response={data} failed={failed?.id === data.verificationId ? failed : undefined} />
      )}
    </>
  )
}

function Response({
  response,
  failed,
}: {
  readonly response: WebOutput<'run-here'>
  readonly failed: PhoneCall | undefined
}) {
  const words = useScreenWords('start')
  const shell = useWords()
  // The digits of a response are what the phone shows: under the marker.
  const text = response.body.replace(/("code":\s*")(\d{4})(")/, '$1[[$2]]$3').replaceAll(/,"/g, ', "')
  return (
    <div className={css.answer}>
      <header>
        <b className={response.status === 200 ? undefined : css.bad}>{response.status}</b>
        {words.response(response.ms)}
      </header>
      <Code text={text} isWrapped label={words.response(response.ms)} />
      {failed?.state === 'failed' && <p className={css.reason}>{outcomeSentence(failed, shell)}</p>}
    </div>
  )
}
