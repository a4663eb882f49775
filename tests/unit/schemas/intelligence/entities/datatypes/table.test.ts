import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sortBy } from '../../../../../../api/intelligence/services/search/record-fields.ts'
import { textsOf } from '../../../../../../connectors/history/sql/search/field-value.ts'
import { datatypeOf, definitionOf, definitions } from '../../../../../../schemas/intelligence/entities/catalogue.ts'
import {
  DATATYPES,
  type DataType,
  type Datatype,
} from '../../../../../../schemas/intelligence/entities/datatypes/table.ts'
import { detect } from '../../../../../../schemas/intelligence/ingest/detect.ts'
import { lookupForms } from '../../../../../../schemas/intelligence/ingest/lookup-forms.ts'
import { searchForms } from '../../../../../../schemas/intelligence/ingest/search-forms.ts'
import {
  COVERED_BY_DOMAINS,
  COVERED_BY_NETWORKS,
  hostOf,
} from '../../../../../../schemas/intelligence/propagation/coverage.ts'
import { fieldOf } from '../../../../../../schemas/intelligence/search/fields.ts'
import { terms } from '../../../../../../schemas/intelligence/state/terms.ts'
import { cases } from '../../../../../builders/datatypes/cases.ts'

const SURFACE = { columns: { type: 't', value: 'v', attributes: 'a' } } as never
const BINDER = { bind: (value: unknown) => JSON.stringify(value) } as never

function behaviourOf(type: string, dataType: DataType) {
  const field = fieldOf(`attributes.${type}`, 'history')
  const sort = sortBy(`attributes.${type}`, 'asc')
  const sql = textsOf({ name: 'attribute', attribute: type, kind: 'text' }, SURFACE, BINDER) as { one: string }
  const forms = cases[dataType].valid.flatMap(([raw]) => lookupForms(raw).forms)
  return {
    kind: 'kind' in field ? field.kind : null,
    numeric: sort !== null && 'numeric' in sort.by ? sort.by.numeric : null,
    words: terms(type, 'two words', {}).includes('words'),
    lowered: sql.one.startsWith('lowerUTF8'),
    host: hostOf({ type, value: 'https://a.example/x' }),
    under: [COVERED_BY_NETWORKS.includes(type) && 'network', COVERED_BY_DOMAINS.includes(type) && 'domain'].filter(
      Boolean,
    ),
    lookedUp: forms.some((form) => form.types.has(type)),
  }
}

test('each datatype is searched, sorted, covered and looked up as its row says', () => {
  const byDataType = new Map<string, string>()
  for (const { type, dataType } of definitions()) {
    const behaviour = JSON.stringify(behaviourOf(type, dataType))
    expect(byDataType.get(dataType) ?? behaviour, type).toBe(behaviour)
    byDataType.set(dataType, behaviour)
  }
  expect(Object.fromEntries([...byDataType].sort(([a], [b]) => (a < b ? -1 : 1)))).toMatchInlineSnapshot(`
    {
      "Adversary": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "BASE64": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":false}",
      "CIDR": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":["network"],"lookedUp":true}",
      "Case-sensitive string": "{"kind":"text","numeric":false,"words":true,"lowered":true,"host":null,"under":[],"lookedUp":true}",
      "City": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":false}",
      "Country": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "Date": "{"kind":"date","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":false}",
      "Datetime": "{"kind":"date","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":false}",
      "Email": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "FQDN": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":"https://a.example/x","under":["domain"],"lookedUp":true}",
      "Float": "{"kind":"number","numeric":true,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":false}",
      "Hexadecimal": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "IP": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":["network"],"lookedUp":true}",
      "Integer": "{"kind":"number","numeric":true,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":false}",
      "MAC": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "MD5": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "MIME type": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":false}",
      "Path": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "Phone": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "Port": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":false}",
      "Regex": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":false}",
      "SHA-1": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA-224": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA-256": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA-384": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA-512": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA3-224": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA3-256": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA3-384": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA3-512": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA512-224": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "SHA512-256": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "String": "{"kind":"text","numeric":false,"words":true,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "URL": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":"a.example","under":["domain"],"lookedUp":true}",
      "UUID": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
      "UUID|MD5|SHA3-256": "{"kind":"keyword","numeric":false,"words":false,"lowered":false,"host":null,"under":[],"lookedUp":true}",
    }
  `)
})

describe('the forms of a look-up and of a simple search', () => {
  test.each(
    [
      '8.8.8.8',
      'www.example.com',
      'CVE-2024-12345',
      '00:1B:44:11:3A:B7',
      '+49 30 901820',
      '/etc/passwd',
      'urn:uuid:0A1B2C3D-0000-4000-8000-000000000000',
      'Germany',
      'Fancy Bear',
      'abcdef',
      '12',
      ...[32, 40, 56, 64, 96, 128].map((digits) => 'a'.repeat(digits)),
    ].map((raw) => [raw]),
  )('%s', (raw) => {
    const { forms, indicator } = lookupForms(raw)
    const dataTypesOf = (types: ReadonlySet<string>) => [
      ...new Set([...types].map((type) => definitionOf(type)?.dataType).sort()),
    ]
    expect([
      indicator ? 'an indicator' : 'a word',
      ...forms.map(({ value, types }) => `${value}: ${dataTypesOf(types).join(', ')} (${types.size} types)`),
      `simple search: ${searchForms(raw).join(', ')}`,
    ]).toMatchSnapshot()
  })
})

test('a network covers addresses and networks; a domain covers host names and URLs', () => {
  expect({ COVERED_BY_NETWORKS: [...COVERED_BY_NETWORKS].sort(), COVERED_BY_DOMAINS }).toMatchInlineSnapshot(`
    {
      "COVERED_BY_DOMAINS": [
        "domain",
        "hostname",
        "file-data",
        "malware-sample",
        "profile-photo",
        "facebook-profile",
        "github-organization",
        "github-repository",
        "github-user",
        "link",
        "tiktok-profile",
        "twitter-profile",
        "url",
      ],
      "COVERED_BY_NETWORKS": [
        "cidr",
        "ip",
      ],
    }
  `)
})

test('a text, and nothing else, is found by its words', () => {
  for (const [name, { search, words }] of Object.entries(DATATYPES) as [string, Datatype][])
    expect(words !== null, name).toBe(search === 'text')
})

test('a detected value has a datatype that the table calls detected, or a text', () => {
  const found = Object.values(cases)
    .flatMap(({ valid }) => valid.map(([raw]) => detect(raw)))
    .filter((detected) => detected !== null)
  expect(found.length).toBeGreaterThan(20)
  for (const { type } of found) expect(['detected', 'always'], type).toContain(datatypeOf(type)?.lookUp)
})

const LOOK_UP: Record<NonNullable<Datatype['lookUp']> | 'never', string> = {
  always: 'always',
  detected: 'by its form',
  indicator: 'if valid, as an indicator',
  name: 'if valid, as a name',
  never: 'no',
}

/** Rows of docs/use/search-reference.md: datatypes of equal properties stand in one row. */
function documentedRows(): string[] {
  const rows = new Map<string, string[]>()
  for (const [name, { search, lookUp, digits, ownForm }] of Object.entries(DATATYPES) as [string, Datatype][]) {
    const hexadecimal = digits === 'any' ? 'any' : digits.length > 0 ? 'of its length' : ''
    const cells = `${search} | ${ownForm ? 'yes' : ''} | ${LOOK_UP[lookUp ?? 'never']} | ${hexadecimal}`
    rows.set(cells, [...(rows.get(cells) ?? []), `\`${name.replaceAll('|', '\\|')}\``])
  }
  return [...rows].map(([cells, names]) => `| ${names.join(', ')} | ${cells} |`.replaceAll('|  |', '| |'))
}

test('docs/use/search-reference.md shows the table of datatypes as it is', () => {
  const [, after = ''] = readFileSync('docs/use/search-reference.md', 'utf8').split('### Data types')
  const rows = after.split('\n').filter((line) => line.startsWith('| `'))
  expect(rows.slice(0, documentedRows().length)).toEqual(documentedRows())
})
