import { expect, test } from 'vitest'
import { Problem } from '../../../../../../console/src/api/problem.ts'
import { explainKeyPairFault, explainMailFault, isKeyText } from '../../../../../../console/src/pages/sign-in/faults.ts'
import { explainCodeFault } from '../../../../../../console/src/parts/access/code-fault.ts'

const refused = (status: number, param: string | null = null) =>
  new Problem('as the platform says it', { status, param })
const wrong = refused(400, 'code')

const cases = [
  ['a wrong code', explainCodeFault(wrong, { expired: false, tries: 1 }), 'Wrong code'],
  ['an expired code', explainCodeFault(wrong, { expired: true, tries: 1 }), 'The code has expired'],
  ['a code that was tried five times', explainCodeFault(wrong, { expired: false, tries: 5 }), 'Too many attempts'],
  ['a failure while a code is checked', explainCodeFault(refused(500), { expired: true, tries: 5 }), undefined],
  [
    'another fault than the code',
    explainCodeFault(refused(400, 'verificationCodeID'), { expired: false, tries: 1 }),
    undefined,
  ],
  ['too many codes', explainMailFault(refused(429)), 'Too many codes requested'],
  ['a mail that was not sent', explainMailFault(refused(500)), 'The code could not be mailed'],
  ['no email address', explainMailFault(refused(400, 'email')), 'Not an email address'],
  ['no answer', explainMailFault(refused(0)), undefined],
  ['an unknown key pair', explainKeyPairFault(refused(401)), 'The key pair was refused'],
  ['a failure while a key pair is checked', explainKeyPairFault(refused(500)), undefined],
] as const

for (const [name, told, title] of cases)
  test(`${name}: ${title ?? 'what the platform says'}`, () => expect(told?.title).toBe(title))

test('a wrong code says how many tries are left', () =>
  expect(explainCodeFault(wrong, { expired: false, tries: 2 })?.text).toContain('Attempts left: 3.'))

test('what a header cannot hold is no key', () => {
  for (const text of ['', 'a b', 'käse', 'a\nb', '☃', 'x'.repeat(513)]) expect(isKeyText(text)).toBe(false)
  expect(isKeyText('administrator-key-0001')).toBe(true)
})
