import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { firstTry, SENSORS } from '../../../../../../../console/src/pages/matches/sensors/sensors.ts'
import { readEvent } from '../../../../../../../schemas/match/event.ts'

const OWN = 'https://harrier.example.com'
const GUIDE = readFileSync(new URL('../../../../../../../docs/integrate/sensors.md', import.meta.url), 'utf8')
/** Blocks of the guide, with the address of the platform in place of its variable, and without comments. */
const told = [...GUIDE.matchAll(/```\w[^\n]*\n(.*?)```/gs)].map(([, text]) =>
  text!
    .replaceAll(`\${HARRIER_URL}`, OWN)
    .replaceAll(/^#.*\n/gm, '')
    .trim(),
)

test.each(SENSORS)('$name has the lines of the guide', ({ about, blocks }) => {
  expect(about).toMatch(/\.$/)
  const all = blocks(OWN)
  expect(all.some(({ text }) => text.includes('harrier.example.com'))).toBe(true)
  for (const { where, text } of all) {
    expect(where).toMatch(/\.$/)
    if (!text.startsWith('HARRIER_URL=')) expect(told).toContain(text)
  }
})

test('the lines of a platform without TLS, at another port, have its address', () => {
  const fluentBit = SENSORS.find(({ name }) => name === 'Fluent Bit')!.blocks('http://127.0.0.1:8080')[0]!.text
  expect(fluentBit).toContain('host: 127.0.0.1\n      port: 8080\n      tls: off\n')
})

test('the shell takes the lines of a first try, and the event that they send is one', () => {
  const blocks = firstTry(OWN)
  for (const { text } of blocks) execFileSync('bash', ['-n'], { input: text })
  const curl = blocks.at(-1)!.text
  const sent = execFileSync('bash', [], { input: `curl() { printf '%s' "\${@: -1}"; }\n${curl}`, encoding: 'utf8' })
  expect(readEvent(JSON.parse(sent), Date.now(), 30)).toMatchObject({ ok: true })
})
