import { useState } from 'react'
import { Code, CodeBlock, CodeTitle, CopyButton } from '../../parts/text/Code.tsx'
import { CodeTabs } from '../../parts/text/Tabs.tsx'
import { useMe } from '../../queries.ts'
import type { Sample } from '../../samples.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './webhooks.module.css'

// The programs of /docs that verify a webhook, put here by the build; tests run them.
declare const receiverSamples: readonly Sample[]
// The build puts the text where the name stands: once.
const samples = receiverSamples

export function Snippets() {
  const words = useScreenWords('webhooks')
  const { installation } = useMe()
  const [name, setName] = useState(samples[0]?.name ?? '')
  const sample = samples.find((one) => one.name === name)
  const command = `npx @ringproof/client listen --url ${installation.publicUrl} --forward-to http://127.0.0.1:3000/ring`
  return (
    <section>
      <h2>{words.check}</h2>
      <div className={css.samples}>
        <CodeTabs
          value={name}
          onChange={setName}
          of={samples.map(({ name: value, text }) => ({ value, panel: <Code text={text} label={value} /> }))}
          action={<CopyButton isIcon text={sample?.text ?? ''} />}
        />
      </div>
      <p className={css.fine}>{words.checkNote}</p>
      <h3 className={css.listen}>{words.listen}</h3>
      <p className={css.text}>{words.listenText}</p>
      <CodeBlock
        text={command}
        label={words.listen}
        bar={
          <>
            <CodeTitle>{words.listenTitle}</CodeTitle>
            <CopyButton isIcon text={command} />
          </>
        }
      />
    </section>
  )
}
