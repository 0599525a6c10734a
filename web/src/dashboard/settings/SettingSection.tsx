import {
  type SettingSection as Name,
  type SettingName,
  settingSections,
} from '@ringproof/contract/web/setting-names.ts'
import type { ReactNode } from 'react'
import { Button } from '../../parts/forms/Button.tsx'
import { useScreenWords } from '../../words/words.ts'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'

// A part of the page, with a button that sets all of it to the recommended values.
export function SettingSection({ name, children }: { readonly name: Name; readonly children: ReactNode }) {
  const words = useScreenWords('settings')
  const { page, draft, canChange } = useSettings()
  const others = (settingSections[name] as readonly SettingName[]).flatMap((one) => {
    const recommended = page.recommended[one]
    return recommended === undefined || recommended === draft.texts[one] ? [] : [[one, recommended] as const]
  })
  return (
    <section id={name} aria-labelledby={`${name}-head`}>
      <div className={css.sectionHead}>
        <h2 id={`${name}-head`}>{words.sections[name]}</h2>
        <p>{words.leads[name]}</p>
        {canChange && others.length > 0 && (
          <Button
            isSmall
            look="ghost"
            aria-label={`${words.sections[name]}: ${words.asRecommended}`}
            onClick={() => {
              for (const [one, recommended] of others) draft.set(one, recommended)
            }}
          >
            {words.asRecommended}
          </Button>
        )}
      </div>
      {children}
    </section>
  )
}
