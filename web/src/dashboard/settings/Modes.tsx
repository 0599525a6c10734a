import { verificationModes } from '@ringproof/contract/lists/calls.ts'
import { Toggle } from '../../parts/forms/Form.tsx'
import { classes } from '../../parts/text/classes.ts'
import { useScreenWords, useWords } from '../../words/words.ts'
import { ChoiceRow, TextRow } from './Controls.tsx'
import { Marked, MarkedName } from './SettingRow.tsx'
import { SettingSection } from './SettingSection.tsx'
import css from './settings.module.css'
import { useSettings } from './settings-context.ts'
import { itemsOf } from './settings-data.ts'

export function Modes() {
  const words = useScreenWords('settings')
  const { mode: names } = useWords()
  const { page, draft, canChange } = useSettings()
  const saved = itemsOf(page.settings.modes)
  const on = itemsOf(draft.texts.modes)
  const put = (mode: string, isOn: boolean) => {
    const next = verificationModes.filter((one) => (one === mode ? isOn : on.includes(one)))
    const isSame = next.length === saved.length && next.every((one) => saved.includes(one))
    draft.set('modes', isSame ? page.settings.modes : next.join(','))
  }
  return (
    <SettingSection name="modes">
      <Marked as="div" name="modes">
        <ul className={css.rows}>
          {verificationModes.map((mode) => {
            const isOn = on.includes(mode)
            return (
              <li key={mode} className={classes(css.row, isOn !== saved.includes(mode) && css.unsaved)}>
                <div>
                  <b>
                    <MarkedName name="modes">{names[mode]}</MarkedName>
                  </b>
                  <p>{words.modes[mode]}</p>
                </div>
                <span className={css.control}>
                  <Toggle
                    label={names[mode]}
                    isOn={isOn}
                    // The last one stays on.
                    isDisabled={!canChange || (isOn && on.length === 1)}
                    onChange={(next) => put(mode, next)}
                  />
                </span>
              </li>
            )
          })}
        </ul>
      </Marked>
      <ul className={classes(css.rows, css.more)}>
        <ChoiceRow name="language" of={words.languages} />
        <TextRow name="inbound-seconds" unit={words.units.seconds} isNumber />
      </ul>
    </SettingSection>
  )
}
