import { definitionOf, definitions } from '../entities/catalogue.ts'
import { DIGEST_LENGTHS } from '../entities/datatypes/digest.ts'
import type { DataType } from '../entities/datatypes/table.ts'
import { normalisers } from '../entities/datatypes/table.ts'
import { detect } from './detect.ts'

/** A value under which an entity of one of these types is known. */
export type LookupForm = { value: string; types: ReadonlySet<string> }

export type LookupForms = {
  /** At most `MAX_LOOKUP_FORMS` distinct values; no type stands in two of them. */
  forms: LookupForm[]
  /** Whether the text has the form of an indicator; a word has not, and may still be the name of something. */
  indicator: boolean
}

/** Most distinct values of one text. */
export const MAX_LOOKUP_FORMS = 5

/** Longer than any name, number or fingerprint that is told by its datatype alone. */
const MAX_PLAIN = 256

const typesOf = (...dataTypes: readonly DataType[]): ReadonlySet<string> =>
  new Set(
    definitions()
      .filter(({ dataType }) => dataTypes.includes(dataType))
      .map(({ type }) => type),
  )

const byDataType: ReadonlyMap<DataType, ReadonlySet<string>> = new Map(
  definitions().map(({ dataType }) => [dataType, typesOf(dataType)]),
)

/** A digest does not say which function made it, nor whether it is called a digest at all. */
const hexOf = (length: number): ReadonlySet<string> =>
  typesOf(
    ...Object.entries(DIGEST_LENGTHS)
      .filter(([, digits]) => digits === length)
      .map(([dataType]) => dataType as DataType),
    ...(length === DIGEST_LENGTHS.MD5 || length === DIGEST_LENGTHS['SHA3-256'] ? (['UUID|MD5|SHA3-256'] as const) : []),
    'Hexadecimal',
  )

const byDigits: ReadonlyMap<number, ReadonlySet<string>> = new Map(
  Object.values(DIGEST_LENGTHS).map((length) => [length, hexOf(length)]),
)

const TEXTS: readonly DataType[] = ['String', 'Case-sensitive string']

/** What `detect` does not tell by form; true: looks like an indicator. */
const OTHERS: readonly (readonly [DataType, boolean])[] = [
  ['MAC', true],
  ['UUID', true],
  ['UUID|MD5|SHA3-256', true],
  ['Hexadecimal', true],
  ['Phone', true],
  ['Country', false],
  ['Adversary', false],
]

function read(dataType: DataType, text: string): string | null {
  const value = normalisers.get(dataType)!(text)
  return typeof value === 'string' ? value : null
}

/**
 * Everything that a text out of a log may be the main value of: what its form says, defanged or not, and the plain text
 * itself. A digest is looked for under every type of as many digits, a name under domains and hostnames.
 */
export function lookupForms(raw: string): LookupForms {
  const text = raw.trim()
  const forms: LookupForm[] = []
  for (const dataType of TEXTS) {
    const value = read(dataType, text)
    if (value !== null) forms.push({ value, types: byDataType.get(dataType)! })
  }
  const found = detect(text)
  if (found !== null) {
    const { dataType } = definitionOf(found.type)!
    const types =
      byDigits.has(found.value.length) && dataType in DIGEST_LENGTHS
        ? byDigits.get(found.value.length)!
        : byDataType.get(dataType)!
    if (!TEXTS.includes(dataType)) forms.push({ value: found.value, types })
    // 32 digits are a UUID too.
    const uuid = dataType === 'MD5' ? read('UUID', found.value) : null
    if (uuid !== null) forms.push({ value: uuid, types: byDataType.get('UUID')! })
    return { forms, indicator: true }
  }
  let indicator = false
  if (text.length <= MAX_PLAIN)
    for (const [dataType, tells] of OTHERS) {
      const value = read(dataType, text)
      if (value === null) continue
      forms.push({ value, types: byDataType.get(dataType)! })
      indicator ||= tells
    }
  return { forms, indicator }
}
