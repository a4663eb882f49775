import { typesWhere } from '../../../../schemas/intelligence/entities/catalogue.ts'
import type { Field } from '../../../../schemas/intelligence/search/clause.ts'
import type { Binder } from './binder.ts'
import type { Surface } from './surface.ts'

/**
 * The value of a field as SQL: String for keyword and text, Float64 for numbers, DateTime64(3) for dates, UInt8 for
 * booleans, NULL where an attribute or a place is absent or not of its kind; Array(String) for `tags` and for any attribute. The
 * main value stands in a column of its own, under the name of its type; no stored value is empty.
 */
export function fieldValue(field: Field, surface: Surface, b: Binder): string {
  const { columns } = surface
  if (field.name === 'anyAttribute') return `arrayConcat([${columns.value}], mapValues(${columns.attributes}))`
  if (isPlace(field)) return `nullIf(${columns[field.name]}, '')`
  if (field.name !== 'attribute')
    return field.kind === 'number' ? `toFloat64(${columns[field.name]})` : columns[field.name]
  const text = attributeText(field.attribute, surface, b)
  if (field.kind === 'number') return `toFloat64OrNull(${text})`
  return field.kind === 'date' ? `parseDateTime64BestEffortOrNull(${text}, 3, 'UTC')` : `nullIf(${text}, '')`
}

/** Where an entity is located: for most entities this is unknown. */
export const isPlace = (field: Field): field is Extract<Field, { name: 'country' | 'asn' | 'aso' }> =>
  field.name === 'country' || field.name === 'asn' || field.name === 'aso'

/** An attribute as it is stored; empty where it is absent. */
export function attributeText(attribute: string, { columns, types }: Surface, b: Binder): string {
  const name = b.bind(attribute, 'String')
  // An attribute that is no main value anywhere: the main values need not be read.
  if (types?.has(attribute) === false) return `${columns.attributes}[${name}]`
  return `if(${columns.type} = ${name}, ${columns.value}, ${columns.attributes}[${name}])`
}

const TEXTS = typesWhere(({ words }) => words !== null)
const CASED_TEXTS = new Set(typesWhere(({ words }) => words === 'any case'))

/** What words are cut out of, in lower case: one text, empty where there is none, or an Array(String) of several. */
export function textsOf(
  field: Extract<Field, { name: 'attribute' | 'anyAttribute' }>,
  surface: Surface,
  b: Binder,
): { one: string } | { many: string } {
  if (field.name === 'attribute') {
    const text = attributeText(field.attribute, surface, b)
    // Normal forms of the others are in lower case already.
    return { one: CASED_TEXTS.has(field.attribute) ? `lowerUTF8(${text})` : text }
  }
  const { type, value, attributes } = surface.columns
  const names = b.bind(TEXTS, 'Array(String)')
  const main = `if(${type} IN ${names}, [${value}], emptyArrayString())`
  const others = `mapValues(mapFilter((k, t) -> k IN ${names}, ${attributes}))`
  return { many: `arrayMap(t -> lowerUTF8(t), arrayConcat(${main}, ${others}))` }
}
