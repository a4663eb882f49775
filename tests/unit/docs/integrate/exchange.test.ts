import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NAMED } from '../../../../schemas/exchange/stix/forms/named.ts'
import { OBSERVABLES } from '../../../../schemas/exchange/stix/forms/observables.ts'
import { IN_PATTERNS } from '../../../../schemas/exchange/stix/indicator.ts'
import { EXTENSION_ID } from '../../../../schemas/exchange/stix/members/extension-id.ts'
import { MISP_TYPES } from '../../../../schemas/feeds-out/formats/exchange/misp.ts'

const document = readFileSync('docs/integrate/exchange.md', 'utf8')

test.each([
  ['an observable', Object.keys(OBSERVABLES)],
  ['an object with a name', Object.keys(NAMED)],
  ['an indicator with a pattern', IN_PATTERNS.filter((type) => !(type in OBSERVABLES))],
])('the page names the types that are %s in STIX', (how, types) => {
  expect(document).toContain(`| ${how} | ${types.map((type) => `\`${type}\``).join(', ')} |\n`)
})

test('the page names the extension', () => {
  expect(document).toContain(`\`${EXTENSION_ID}\``)
})

test('the page of MISP has the types of each category, with the types of MISP that have other names', () => {
  const rows = Map.groupBy(Object.entries(MISP_TYPES), ([, { category }]) => category)
  const expected = [...rows].map(([category, types]) => {
    const names = types.map(([name, { type }]) => (name === type ? `\`${name}\`` : `\`${name}\`: \`${type}\``))
    return `| ${category} | ${names.join(', ')} |`
  })
  const [, table = ''] = readFileSync('docs/integrate/misp.md', 'utf8').split(
    '| Category in MISP | Types |\n|---|---|\n',
  )
  expect(table.trim().split('\n')).toEqual(expected)
})
