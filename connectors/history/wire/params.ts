const ESCAPES: Record<string, string> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' }

/** Half a surrogate pair is no UTF-8, and in no stored value. */
const escaped = (text: string): string =>
  text.toWellFormed().replace(/[\t\n\r'\\]/g, (character) => ESCAPES[character]!)

/**
 * The value of a query parameter as ClickHouse reads it: text in the escapes of TabSeparated, within an array or a map
 * (an object) as a literal in quotes.
 * @throws TypeError for what the store has no form for
 */
export function paramText(value: unknown, within = false): string {
  if (typeof value === 'string') return within ? `'${escaped(value)}'` : escaped(value)
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (value === null) return within ? 'NULL' : '\\N'
  if (Array.isArray(value)) return `[${value.map((each) => paramText(each, true)).join()}]`
  if (typeof value === 'object') return mapText(value)
  throw new TypeError(
    `a query parameter cannot be ${value === undefined ? 'undefined' : `of the type ${typeof value}`}`,
  )
}

const mapText = (map: object): string =>
  `{${Object.entries(map)
    .map(([key, value]) => `${paramText(key, true)}:${paramText(value, true)}`)
    .join()}}`

const NUMBERS: Record<string, string> = { NaN: 'nan', Infinity: '+inf', '-Infinity': '-inf' }

const numberText = (value: number | bigint): string => NUMBERS[String(value)] ?? String(value)
