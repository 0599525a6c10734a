// A view is an address with a name. It is kept in this browser.

import { useNavigate, useRouterState } from '@tanstack/react-router'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import { useKept } from '../../kept.ts'
import { Button, buttonClass } from '../../parts/forms/Button.tsx'
import { Field } from '../../parts/forms/Form.tsx'
import { Menu, MenuAction, MenuRule } from '../../parts/forms/Menu.tsx'
import { Modal } from '../../parts/forms/Modal.tsx'
import { useScreenWords, useWords } from '../../words/words.ts'

type View = { readonly name: string; readonly address: string }

const viewsMax = 20

export function Views() {
  const words = useScreenWords('verifications')
  const navigate = useNavigate()
  const address = useRouterState({ select: ({ location }) => `${location.pathname}${location.searchStr}` })
  const [views, keepViews] = useKept<readonly View[]>('verification-views', [])
  const [isNaming, setNaming] = useState(false)
  const current = views.find((view) => view.address === address)
  return (
    <>
      <Menu
        triggerClass={buttonClass('ghost')}
        trigger={
          <>
            <Bookmark size={15} />
            {current?.name ?? words.views}
          </>
        }
      >
        {views.map((view) => (
          <MenuAction key={view.name} onClick={() => void navigate({ href: view.address }).catch(() => undefined)}>
            {view.name}
          </MenuAction>
        ))}
        {views.length > 0 && <MenuRule />}
        <MenuAction onClick={() => setNaming(true)}>{words.saveView}</MenuAction>
        {current !== undefined && (
          <MenuAction onClick={() => keepViews(views.filter((view) => view !== current))}>
            {words.removeView(current.name)}
          </MenuAction>
        )}
      </Menu>
      {isNaming && (
        <NameView
          onClose={() => setNaming(false)}
          onSave={(name) => {
            keepViews([...views.filter((view) => view.name !== name), { name, address }].slice(-viewsMax))
            setNaming(false)
          }}
        />
      )}
    </>
  )
}

function NameView({ onClose, onSave }: { readonly onClose: () => void; readonly onSave: (name: string) => void }) {
  const words = useScreenWords('verifications')
  const { save, cancel } = useWords()
  const [name, setName] = useState('')
  return (
    <Modal
      title={words.saveView}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button look="ink" disabled={name.trim() === ''} onClick={() => onSave(name.trim())}>
            {save}
          </Button>
        </>
      }
    >
      <Field
        label={words.viewName}
        hint={words.viewNote}
        value={name}
        maxLength={60}
        isFirst
        onChange={(event) => setName(event.target.value)}
      />
    </Modal>
  )
}
