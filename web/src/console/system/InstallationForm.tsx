import { purposes } from '@ringproof/contract/lists/installation.ts'
import type { WebOutput } from '@ringproof/contract/web/api.ts'
import { useState } from 'react'
import { useIsAdmin } from '../../access.ts'
import { AdminForm } from '../../parts/forms/AdminForm.tsx'
import { Field, Select, Toggle } from '../../parts/forms/Form.tsx'
import { showNotice } from '../../parts/text/notice.ts'
import { Row, Section } from '../../parts/text/Page.tsx'
import { useChange } from '../../queries.ts'
import { useScreenWords } from '../../words/words.ts'
import css from './system.module.css'

type Settings = WebOutput<'installation'>
type TextName = Exclude<keyof Settings, 'isSignUpOpen' | 'purpose'>

const link = /^(https?:\/\/\S+)?$/

export function InstallationForm({ settings }: { readonly settings: Settings }) {
  const words = useScreenWords('system')
  const isAdmin = useIsAdmin()
  const { mutate, isPending, error } = useChange('set-installation', ['installation', 'me'])
  const [edited, setEdited] = useState(settings)
  const isChanged = JSON.stringify(edited) !== JSON.stringify(settings)
  const areLinksGood = link.test(edited.termsUrl) && link.test(edited.privacyUrl)
  const field = (name: TextName) => ({
    disabled: !isAdmin,
    value: edited[name],
    onChange: (event: { target: { value: string } }) => setEdited({ ...edited, [name]: event.target.value }),
  })
  const badLink = (name: TextName) => (link.test(edited[name]) ? undefined : words.badLink)
  return (
    <Section title={words.settings} lead={words.settingsLead}>
      <AdminForm
        isReady={isChanged && areLinksGood && edited.name.trim() !== ''}
        isBusy={isPending}
        error={error}
        onSave={() => mutate(edited, { onSuccess: () => showNotice({ text: words.saved }) })}
      >
        <div className={css.fields}>
          <Field label={words.name} hint={words.nameHint} maxLength={80} {...field('name')} />
          <Field label={words.support} hint={words.supportHint} maxLength={200} {...field('supportAddress')} />
          <Field label={words.terms} hint={words.termsHint} error={badLink('termsUrl')} {...field('termsUrl')} />
          <Field label={words.privacy} error={badLink('privacyUrl')} {...field('privacyUrl')} />
          <Field label={words.termsVersion} hint={words.termsVersionHint} maxLength={40} {...field('termsVersion')} />
        </div>
        <Select
          label={words.purpose}
          hint={words.purposeHint}
          value={edited.purpose}
          disabled={!isAdmin}
          onChange={(purpose) => setEdited({ ...edited, purpose })}
          of={purposes.map((value) => ({ value, text: words.purposes[value] }))}
        />
        <Row title={words.signUp} note={words.signUpHint}>
          <Toggle
            label={words.signUp}
            isOn={edited.isSignUpOpen}
            isDisabled={!isAdmin}
            onChange={(isSignUpOpen) => setEdited({ ...edited, isSignUpOpen })}
          />
        </Row>
      </AdminForm>
    </Section>
  )
}
