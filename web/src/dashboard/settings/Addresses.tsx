import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/forms/Button.tsx'
import { Toggle } from '../../parts/forms/Form.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useScreenWords } from '../../words/words.ts'
import { SwitchRow } from './Controls.tsx'
import { Marked, MarkedName, useIsUnsaved } from './SettingRow.tsx'
import { SettingSection } from './SettingSection.tsx'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'
import { itemsOf } from './settings-data.ts'

export function Addresses() {
  const words = useScreenWords('settings')
  const { draft, canChange } = useSettings()
  const addresses = itemsOf(draft.texts.addresses)
  // Opened by the switch before the first address is there.
  const [isOpen, setOpen] = useState(false)
  const put = (next: readonly string[]) => draft.set('addresses', next.join(','))
  const isOnly = isOpen || addresses.length > 0
  const isUnsaved = useIsUnsaved('addresses')
  return (
    <SettingSection name="addresses">
      <Marked as="div" name="addresses" className={classes(css.list, isUnsaved && css.unsavedList)}>
        <div className={css.listHead}>
          <div>
            <b>
              <MarkedName name="addresses">{words.onlyThese}</MarkedName>
            </b>
            <em>{words.onlyTheseAdvice}</em>
          </div>
          <Toggle
            label={words.onlyThese}
            isOn={isOnly}
            isDisabled={!canChange}
            onChange={(next) => {
              setOpen(next)
              if (!next) put([])
            }}
          />
        </div>
        {addresses.map((address) => (
          <div key={address} className={css.item}>
            <code>{address}</code>
            {canChange && (
              <Button
                isSmall
                isIcon
                look="ghost"
                aria-label={words.remove(address)}
                onClick={() => put(addresses.filter((one) => one !== address))}
              >
                <Trash2 size={14} />
              </Button>
            )}
          </div>
        ))}
        {draft.mistakes.includes('addresses') && (
          <p className={css.wrong} role="alert">
            {words.mistakes.addresses}
          </p>
        )}
        {isOnly && canChange && <AddAddress onAdd={(address) => put([...new Set([...addresses, address])])} />}
      </Marked>
      <ul className={classes(css.rows, css.more)}>
        <SwitchRow name="plain-http" />
      </ul>
    </SettingSection>
  )
}

function AddAddress({ onAdd }: { readonly onAdd: (address: string) => void }) {
  const words = useScreenWords('settings')
  const [text, setText] = useState('')
  const address = text.trim()
  return (
    <form
      className={css.add}
      onSubmit={(event) => {
        event.preventDefault()
        if (address === '') return
        onAdd(address)
        setText('')
      }}
    >
      <span className={css.box}>
        <input
          aria-label={words.address}
          placeholder="203.0.113.0/24"
          value={text}
          autoComplete="off"
          onChange={({ target }) => setText(target.value)}
        />
      </span>
      <Button type="submit" disabled={address === ''}>
        {words.add}
      </Button>
    </form>
  )
}
