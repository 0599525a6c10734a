import { useWords } from '../words/words.ts'
import { Field } from './Form.tsx'
import css from './password.module.css'
import { StatusShape } from './Ring.tsx'

const lengthMin = 12

// A new password, with its rules ticked while it is typed. The server knows the whole list of common ones.
export function PasswordField({
  label,
  email,
  value,
  isFirst = false,
  onChange,
}: {
  readonly label: string
  readonly email: string
  readonly value: string
  readonly isFirst?: boolean
  readonly onChange: (password: string) => void
}) {
  const words = useWords()
  const met = rulesMet(value, email)
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
        {rules.map((rule) => (
          <li key={rule} className={met[rule] ? css.met : undefined}>
            <StatusShape status={met[rule] ? 'succeeded' : 'waiting'} />
            {words.passwordRules[rule]}
            <span className="unseen">{met[rule] ? words.met : words.notMet}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const rules = ['long', 'mail', 'usual'] as const
const usual = /^(.)\1*$|^(password|passw0rd|qwerty|123456|letmein|welcome|iloveyou|admin|ringproof|йцукен|пароль)/i

export function isPasswordGood(password: string, email: string): boolean {
  return Object.values(rulesMet(password, email)).every(Boolean)
}

function rulesMet(password: string, email: string): Record<(typeof rules)[number], boolean> {
  const name = email.split('@')[0]?.toLowerCase() ?? ''
  return {
    long: [...password].length >= lengthMin,
    mail: password !== '' && (name.length < 3 || !password.toLowerCase().includes(name)),
    usual: password !== '' && !usual.test(password),
  }
}
