import type { Field, Value } from '../../../../schemas/intelligence/search/clause.ts'
import { CUT } from '../../../../schemas/intelligence/state/terms.ts'
import { type At, someText, someValue, withIndex } from './field-tests.ts'
import { isWord } from './text/words.ts'
import { fieldValue } from './value.ts'

/** The whole value is one of these; of a text also: one of its words is. */
export function equals(field: Field, values: readonly Value[], caseless: boolean, at: At): string {
  const { surface, b } = at
  if (field.kind === 'number') {
    const numbers = values.map(Number).filter((n) => !Number.isNaN(n))
    return `ifNull(${fieldValue(field, surface, b)} IN ${b.bind(numbers, 'Array(Float64)')}, 0)`
  }
  if (field.kind === 'date') {
    const times = values.map(Number).filter(Number.isSafeInteger)
    const time = `toUnixTimestamp64Milli(${fieldValue(field, surface, b)})`
    return `ifNull(${time} IN ${b.bind(times, 'Array(Int64)')}, 0)`
  }
  if (field.kind === 'boolean') return `${surface.columns[field.name]} IN ${b.bind(values.map(Number), 'Array(UInt8)')}`
  // Nothing that is stored is empty: empty text stands for what is absent.
  const texts = values.map(String).filter((text) => text !== '')
  return texts.length === 0 ? '0' : equalsText(field, texts, caseless, at)
}

function equalsText(field: Field, texts: readonly string[], caseless: boolean, at: At): string {
  const { surface, b } = at
  const lower = [...new Set(texts.map((text) => text.toLowerCase()))]
  const wanted = b.bind(caseless ? lower : texts, 'Array(String)')
  const whole = someValue(field, at, (v) => `${caseless ? `lowerUTF8(${v})` : v} IN ${wanted}`)
  const words = field.kind === 'text' ? lower.filter(isWord) : []
  const sought = words.length === 0 ? null : b.bind(words, 'Array(String)')
  const exact = sought === null ? whole : `(${whole} OR ${someText(field, at, (w) => `hasAny(${w}, ${sought})`)})`
  const { narrow } = surface
  if (field.name === 'id') return withIndex(narrow?.ids?.(caseless ? lower : texts, b), exact)
  if (field.name === 'entityID') return withIndex(narrow?.entityIDs?.(caseless ? lower : texts, b), exact)
  // An index of tags says it exactly, and the tags themselves are not read.
  if (field.name === 'tags' && !caseless)
    return narrow?.tags?.(texts, b) ?? withIndex(narrow?.tagged?.([...new Set(texts)], b), exact)
  if (field.name !== 'attribute' && field.name !== 'anyAttribute' && field.name !== 'value') return exact
  return withIndex(narrow?.terms?.(words.length === 0 ? lower : [...lower, CUT], 'any', b), exact)
}
