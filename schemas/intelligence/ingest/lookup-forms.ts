import { definitionOf, typesWhere } from '../entities/catalogue.ts'
import { NORMALISERS } from '../entities/datatypes/normalisers.ts'
import { ANY, DATATYPES, type DataType, type Datatype } from '../entities/datatypes/table.ts'
import { earlierForm } from '../entities/earlier-forms.ts'
import { networkOfOne } from '../entities/named.ts'
import { type Detected, detect } from './detect.ts'

/** A value under which an entity of one of these types is known. */
export type LookupForm = { value: string; types: ReadonlySet<string> }

export type LookupForms = {
  /** What the form of the text says that it is; null: it has none. */
  detected: Detected | null
  /** Of `forms`, those at the beginning that read it as plain text. */
  texts: number
  /** At most `MAX_LOOKUP_FORMS` distinct values; no type stands in two of them, but that of a URL of before (ADR 258). */
  forms: LookupForm[]
  /** Whether the text has the form of an indicator; a word has not, and may still be the name of something. */
  indicator: boolean
}

/** Most distinct values of one text. */
export const MAX_LOOKUP_FORMS = 5

/** UTF-16 code units: longer than any name, number or fingerprint that its datatype alone recognises. */
const MAX_PLAIN = 256

/** A network of one address, which is that address. */
const ONE_ADDRESS = /\/(?:32|128)$/

const NAMES = Object.keys(DATATYPES) as DataType[]

const lookedUp = (...when: readonly Datatype['lookUp'][]): readonly DataType[] =>
  NAMES.filter((name) => when.includes(DATATYPES[name].lookUp))

const TEXTS = lookedUp('always')
/** Datatypes that `detect` does not recognise. */
const OTHERS = lookedUp('indicator', 'name')

const byDataType: ReadonlyMap<DataType, ReadonlySet<string>> = new Map(
  NAMES.map((name) => [name, new Set(typesWhere((datatype) => datatype === DATATYPES[name]))]),
)

/** A digest does not say which function made it, nor whether it is called a digest at all. */
const byDigits: ReadonlyMap<number, ReadonlySet<string>> = new Map(
  NAMES.flatMap((name) => (DATATYPES[name].digits === ANY ? [] : DATATYPES[name].digits)).map((length) => [
    length,
    new Set(typesWhere(({ digits }) => digits === ANY || digits.includes(length))),
  ]),
)

/** Types of a detected value: of a digest, all types with as many digits. */
const typesOf = (dataType: DataType, value: string): ReadonlySet<string> =>
  (DATATYPES[dataType].digits.length > 0 ? byDigits.get(value.length) : undefined) ?? byDataType.get(dataType)!

function read(dataType: DataType, text: string): string | null {
  const value = NORMALISERS[dataType](text)
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
  const texts = forms.length
  const found = detect(text)
  if (found !== null) {
    const { dataType } = definitionOf(found.type)!
    if (!TEXTS.includes(dataType)) forms.push({ value: found.value, types: typesOf(dataType, found.value) })
    // 32 digits are a UUID too.
    const uuid = dataType === 'MD5' ? read('UUID', found.value) : null
    if (uuid !== null) forms.push({ value: uuid, types: byDataType.get('UUID')! })
    const earlier = earlierForm(found.type, found.value)
    if (earlier !== null) forms.push({ value: earlier, types: byDataType.get('URL')! })
    if (found.type === 'ip' && ONE_ADDRESS.test(text))
      forms.push({ value: networkOfOne(found.value), types: byDataType.get('CIDR')! })
    return { detected: found, texts, forms, indicator: true }
  }
  let indicator = false
  if (text.length <= MAX_PLAIN)
    for (const dataType of OTHERS) {
      const value = read(dataType, text)
      if (value === null) continue
      forms.push({ value, types: byDataType.get(dataType)! })
      indicator ||= DATATYPES[dataType].lookUp === 'indicator'
    }
  return { detected: null, texts, forms, indicator }
}
