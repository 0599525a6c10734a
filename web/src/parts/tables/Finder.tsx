import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import type { LucideIcon } from 'lucide-react'
import { Search } from 'lucide-react'
import { useState } from 'react'
import css from './finder.module.css'

export type Found = {
  readonly key: string
  readonly text: string
  readonly group: string
  readonly icon: LucideIcon
  readonly open: () => void
}

// A list over the page that shrinks while the reader types.
export function Finder({
  label,
  placeholder,
  nothing,
  note,
  items,
  itemsFor,
  onClose,
}: {
  readonly label: string
  readonly placeholder: string
  readonly nothing: string
  readonly note: string
  readonly items: readonly Found[]
  // What only this text finds. Their texts contain it.
  readonly itemsFor: (text: string) => readonly Found[]
  readonly onClose: () => void
}) {
  const [text, setText] = useState('')
  const choose = (item: Found) => {
    onClose()
    item.open()
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.back} />
        <Dialog.Popup className={css.box} aria-label={label}>
          <Autocomplete.Root
            open
            inline
            value={text}
            onValueChange={setText}
            items={[...items, ...itemsFor(text.trim())]}
            itemToStringValue={(item: Found) => item.text}
            autoHighlight="always"
          >
            <div className={css.field}>
              <Search size={17} aria-hidden="true" />
              <Autocomplete.Input className={css.input} placeholder={placeholder} aria-label={label} />
            </div>
            <Autocomplete.Empty className={css.empty}>{nothing}</Autocomplete.Empty>
            <Autocomplete.List className={css.list}>
              {(item: Found) => (
                <Autocomplete.Item key={item.key} value={item} className={css.row} onClick={() => choose(item)}>
                  <item.icon size={16} />
                  {item.text}
                  <small>{item.group}</small>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <p className={css.note}>{note}</p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
