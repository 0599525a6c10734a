import { X } from 'lucide-react'
import { hideNotice, useNotice } from '../parts/text/notice.ts'
import { useWords } from '../words/words.ts'
import css from './shell.module.css'

export function NoticeLine() {
  const { undo, close } = useWords()
  const notice = useNotice()
  return (
    <div className={css.notice} role="status">
      {notice !== undefined && (
        <p>
          <span>{notice.text}</span>
          {notice.undo !== undefined && (
            <button
              type="button"
              onClick={() => {
                notice.undo?.()
                hideNotice()
              }}
            >
              {undo}
            </button>
          )}
          <button type="button" aria-label={close} onClick={hideNotice}>
            <X size={15} />
          </button>
        </p>
      )}
    </div>
  )
}
