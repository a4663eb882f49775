import { expect, test } from 'vitest'
import { Interrupted, interruptedText } from '../../../../../cli/wiring/interruption/interrupted.ts'
import { typed } from '../../../../../cli/wiring/interruption/typed.ts'

test('a command is repeated so that a shell takes it as it was', () => {
  expect(typed(['feed', 'import', 'my feed.csv', "--tag=it's"], {})).toBe(
    "harrier feed import 'my feed.csv' '--tag=it'\\''s'",
  )
  expect(typed(['demo'], { npm_lifecycle_event: 'harrier' })).toBe('npm run harrier -- demo')
})

test('a password in a URL is not repeated', () => {
  const words = ['feed', 'import', 'https://ann:hunter2@taxii.example.com/', '--format', 'taxii']
  expect(typed(words, {})).toBe('type the same command again')
})

test('what was interrupted says what was done and how to go on', () => {
  const again = 'harrier demo'
  expect(interruptedText(new Interrupted('3 of 9 are done'), again)).toBe(
    'interrupted: 3 of 9 are done\nTo continue: harrier demo',
  )
  expect(interruptedText(new Interrupted('half', 'harrier replay resume x'), again)).toContain(
    'To continue: harrier replay resume x',
  )
})
