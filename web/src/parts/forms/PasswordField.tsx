import { type PasswordFault, passwordFaults } from '@ringproof/contract/web/password.ts'
import { useWords } from '../../words/words.ts'
import { StatusShape } from '../charts/Ring.tsx'
import { Field } from './Form.tsx'
import css from './password.module.css'

// A new password, with its rules ticked while it is typed.
export function PasswordField({
  label,
  email,
  value,
  isFirst = false,
  onChange,
}: {
  readonly label: string
  // Undefined: the page does not know it, so only the server can apply that rule.
  readonly email?: string
  readonly value: string
  readonly isFirst?: boolean
  readonly onChange: (password: string) => void
}) {
  const words = useWords()
  const shown = email === undefined ? rules.filter((rule) => rule !== 'mail') : rules
  const faults = new Set(passwordFaults(value, email ?? ''))
  const isMet = (rule: Rule) => value !== '' && !faults.has(faultOf[rule])
  return (
    <div className={css.password}>
      <Field
        label={label}
        isSecret
        isFirst={isFirst}
        autoComplete="new-password"
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <ul>
        {shown.map((rule) => (
          <li key={rule} className={isMet(rule) ? css.met : undefined}>
            <StatusShape status={isMet(rule) ? 'succeeded' : 'waiting'} />
            {words.passwordRules[rule]}
            <span className="unseen">{isMet(rule) ? words.met : words.notMet}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const rules = ['long', 'mail', 'usual'] as const
type Rule = (typeof rules)[number]
const faultOf: Readonly<Record<Rule, PasswordFault>> = { long: 'short', mail: 'contains-email', usual: 'common' }

export function isPasswordGood(password: string, email = ''): boolean {
  return passwordFaults(password, email).length === 0
}
