import { describe, expect, test } from 'vitest'
import { isHeavy } from '../../../../../schemas/intelligence/search/cost.ts'
import type { SurfaceName } from '../../../../../schemas/intelligence/search/fields.ts'
import { readSearch } from '../../../../../schemas/intelligence/search/read-search.ts'

/** Networks as values, and suffixes, as searches read them. */

const read = (clause: unknown, surface: SurfaceName = 'entities') =>
  readSearch({ query: { must: [clause] } }, { surface, now: 0, sort: { name: '@timestamp', kind: 'date' } })

/** The kinds of the clauses that a clause becomes, and the networks in them. */
function kinds(clause: unknown, surface: SurfaceName = 'entities'): string {
  const found = read(clause, surface)
  if (!found.ok) return found.param
  return JSON.stringify(found.search.clause, (name, value) => (name === 'range' ? undefined : value))
}

describe('a network as a value', () => {
  test.each<[string, unknown]>([
    ['of the main value', { term: { value: '198.51.100.7/24' } }],
    ['of an address', { term: { 'attributes.ip': '198.51.100.7/24' } }],
    ['in a list', { terms: { value: ['example.com', '198.51.100.7/24'] } }],
    ['in a match', { match: { 'attributes.ip': '198.51.100.7/24' } }],
    ['in a query string', { query_string: { query: 'attributes.ip:"198.51.100.7/24"' } }],
  ])('stands for what is inside: %s', (_, clause) => {
    expect(kinds(clause)).toContain('"within"')
    expect(kinds(clause)).toContain('"198.51.100.0/24"')
  })

  test.each<[string, unknown]>([
    ['of a keyword', { term: { 'value.keyword': '198.51.100.7/24' } }],
    ['of an address as a keyword', { term: { 'attributes.ip.keyword': '198.51.100.7/24' } }],
    ['of a network', { term: { 'attributes.cidr': '198.51.100.7/24' } }],
    ['of any attribute', { term: { 'attributes.*': '198.51.100.7/24' } }],
    ['that is an address', { term: { value: '198.51.100.7' } }],
  ])('stands for itself: %s', (_, clause) => {
    expect(kinds(clause)).toContain('"equals"')
    expect(kinds(clause)).not.toContain('"within"')
  })

  test('counts as a clause more', () => {
    const networks = (n: number) => ({
      terms: { value: Array.from({ length: n }, (_, i) => `10.${i >> 8}.${i & 255}.0/24`) },
    })
    expect(read(networks(1023)).ok).toBe(true)
    expect(read(networks(1024))).toMatchObject({ ok: false, param: 'query.must[0].terms.value[1023]' })
  })
})

describe('a suffix', () => {
  test.each([
    ['value', 'Example.COM.', 'example.com'],
    ['attributes.domain', 'bücher.example', 'xn--bcher-kva.example'],
    ['attributes.url', 'com', 'com'],
    ['attributes.email-address', 'example.com', 'example.com'],
  ])('of %s: %s', (field, given, name) => {
    expect(read({ suffix: { [field]: given } })).toMatchObject({ ok: true })
    expect(kinds({ suffix: { [field]: { value: given, boost: 2 } } })).toContain(`"name":"${name}"`)
  })

  test.each<[unknown, string]>([
    [{ suffix: { type: 'example.com' } }, 'query.must[0].suffix.type'],
    [{ suffix: { 'attributes.text': 'example.com' } }, 'query.must[0].suffix.attributes.text'],
    [{ suffix: { 'attributes.*': 'example.com' } }, 'query.must[0].suffix.attributes.*'],
    [{ suffix: { value: '.example.com' } }, 'query.must[0].suffix.value'],
    [{ suffix: { value: { value: 'a b' } } }, 'query.must[0].suffix.value.value'],
    [{ suffix: { value: {} } }, 'query.must[0].suffix.value.value'],
    [
      { suffix: { value: { value: 'example.com', case_insensitive: true } } },
      'query.must[0].suffix.value.case_insensitive',
    ],
    [{ suffix: {} }, 'query.must[0].suffix'],
  ])('is refused: %j', (clause, param) => {
    expect(read(clause)).toMatchObject({ ok: false, param })
  })
})

test.each(['value', 'value.keyword', 'covered'])('reports have no %s', (field) => {
  expect(read({ exists: { field } }, 'history')).toMatchObject({ ok: false, param: 'query.must[0].exists.field' })
  expect(read({ exists: { field } }, 'entities').ok).toBe(true)
})

test('a selector of few parts is no heavy search', () => {
  const found = read({ bool: { must: [{ suffix: { value: 'example.com' } }, { term: { value: '198.51.100.0/24' } }] } })
  expect(found.ok && isHeavy(found.search)).toBe(false)
})
