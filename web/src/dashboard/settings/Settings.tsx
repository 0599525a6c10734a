import { type SettingName, type SettingSection, settingSections } from '@ringproof/contract/web/setting-names.ts'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useIsBuilder } from '../../access.ts'
import { TestTag } from '../../parts/charts/Ring.tsx'
import { BackLink } from '../../parts/text/Page.tsx'
import { Found } from '../../parts/text/State.tsx'
import { useReadWith } from '../../queries.ts'
import { dashboardAddress } from '../../shell/places.ts'
import { useTraffic } from '../../shell/use-traffic.ts'
import { useScreenWords } from '../../words/words.ts'
import { Addresses } from './Addresses.tsx'
import { Changes } from './Changes.tsx'
import { ChoiceRow, SwitchRow, TextRow } from './Controls.tsx'
import { Geography } from './Geography.tsx'
import { Limits } from './Limits.tsx'
import { Modes } from './Modes.tsx'
import { SettingSection as Section } from './SettingSection.tsx'
import css from './settings.module.css'
import { SettingsContext, useSettings } from './settings-context.ts'
import type { SettingsPage } from './settings-data.ts'
import { TestNumber } from './TestNumber.tsx'
import { useDraft } from './use-draft.ts'
import { useMark } from './use-mark.ts'

export function Settings() {
  const words = useScreenWords('settings')
  const traffic = useTraffic()
  const { serviceId = '' }: { serviceId?: string } = useParams({ strict: false })
  const query = useReadWith('service-settings', { serviceId })
  return (
    <>
      <BackLink to={dashboardAddress('services', traffic)} className={css.back}>
        {words.back}
      </BackLink>
      <Found query={query} words={words}>
        {(page) => <Page key={page.id} page={page} />}
      </Found>
    </>
  )
}

function Page({ page }: { readonly page: SettingsPage }) {
  const words = useScreenWords('settings')
  const canChange = useIsBuilder()
  const draft = useDraft(page)
  const view = { page, draft, canChange, ...useMark() }
  return (
    <SettingsContext value={view}>
      <header className={css.top}>
        <div>
          <h1>
            {page.settings.name} <code>{page.id}</code> {page.isTest && <TestTag />}
          </h1>
          <p>{words.lead}</p>
        </div>
        <Contents />
      </header>
      <div className={css.grid}>
        <div className={css.body}>
          <General />
          <Geography />
          <Limits />
          <QuietHours />
          <Addresses />
          <Modes />
          <Compatibility />
        </div>
        <aside className={css.side}>
          <Changes />
          {canChange && <TestNumber />}
        </aside>
      </div>
      <Strip />
    </SettingsContext>
  )
}

// On a narrow screen, while the changes are out of sight.
function Strip() {
  const words = useScreenWords('settings')
  const { changes } = useSettings().draft
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const panel = document.querySelector('#changes')
    if (panel === null) return
    const watch = new IntersectionObserver((entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)))
    watch.observe(panel)
    return () => watch.disconnect()
  }, [])
  if (isSeen || changes.length === 0) return null
  return (
    <p className={css.strip}>
      {words.changes(changes.length)}
      <a href="#changes">{words.review}</a>
    </p>
  )
}

function Contents() {
  const words = useScreenWords('settings')
  const { changes } = useSettings().draft
  const sections = Object.keys(settingSections) as SettingSection[]
  const isUnsaved = (section: SettingSection) => {
    const names: readonly SettingName[] = settingSections[section]
    return changes.some(({ name }) => names.includes(name))
  }
  return (
    <nav aria-label={words.contents} className={css.parts}>
      {sections.map((section) => (
        <a key={section} href={`#${section}`}>
          {words.sections[section]}
          {isUnsaved(section) && <i role="img" aria-label={words.unsaved} />}
        </a>
      ))}
    </nav>
  )
}

function General() {
  const { page } = useSettings()
  return (
    <Section name="general">
      <ul className={css.rows}>
        <TextRow name="name" />
        <TextRow name="use-direction" />
        <SwitchRow name="state" />
        {!page.isTest && <SwitchRow name="test-numbers" />}
      </ul>
    </Section>
  )
}

function QuietHours() {
  const words = useScreenWords('settings')
  return (
    <Section name="hours">
      <ul className={css.rows}>
        <TextRow name="quiet-hours" emptyAs="off" placeholder={words.off} />
        <TextRow name="time-zone" list="time-zones" />
      </ul>
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </Section>
  )
}

function Compatibility() {
  const words = useScreenWords('settings')
  return (
    <Section name="compatibility">
      <ul className={css.rows}>
        <ChoiceRow name="status-style" of={words.styles} />
        <TextRow name="id-alias" />
        <SwitchRow name="repeats" />
      </ul>
    </Section>
  )
}
