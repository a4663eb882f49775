import { denied, syntax } from '../statement/refused.ts'
import { isMark, isName, type SqlToken, wordOf } from '../statement/tokens.ts'

/** The formats that a SQL user may ask for, and where a statement names one. */

/** None that reads a file for its schema. Those with progress come without it: it counts rows that are not to be seen. */
const FORMATS = new Set(
  (
    'tabseparated tabseparatedraw tabseparatedwithnames tabseparatedwithnamesandtypes tsv tsvraw tsvwithnames ' +
    'tsvwithnamesandtypes tabseparatedrawwithnames tabseparatedrawwithnamesandtypes tsvrawwithnames ' +
    'tsvrawwithnamesandtypes tskv csv csvwithnames csvwithnamesandtypes json jsonstrings jsoncolumns ' +
    'jsoncolumnswithmetadata jsoncompact jsoncompactstrings jsoncompactcolumns jsonobjecteachrow jsoneachrow jsonlines ' +
    'jsonl ndjson jsonstringseachrow jsoneachrowwithprogress jsonstringseachrowwithprogress jsoncompacteachrow ' +
    'jsoncompacteachrowwithnames jsoncompacteachrowwithnamesandtypes jsoncompactstringseachrow ' +
    'jsoncompactstringseachrowwithnames jsoncompactstringseachrowwithnamesandtypes prettyjsoneachrow prettyndjson native ' +
    'rowbinary rowbinarywithnames rowbinarywithnamesandtypes pretty prettycompact prettyspace vertical markdown values ' +
    'xml parquet arrow arrowstream null'
  ).split(' '),
)

/** @throws Refused ACCESS_DENIED for a format that is not offered */
export const checkFormat = (name: string): void => {
  if (!FORMATS.has(name.toLowerCase())) throw denied(`the format '${name.slice(0, 60)}' is not supported`)
}

/** Words after which a name comes: what follows is no clause. */
const BEFORE_NAMES = new Set(
  (
    'as select distinct by where having prewhere qualify and or not on using when then else case in like ilike between ' +
    'from join array limit offset with is'
  ).split(' '),
)

/** Whether the word at `i` stands where only a name can: behind AS, a comma, an operator and so on. */
export const standsAsName = (list: readonly SqlToken[], i: number): boolean => {
  const before = list[i - 1]
  if (before === undefined) return false
  if (before.kind === 'word') return BEFORE_NAMES.has(wordOf(before))
  return before.kind === 'mark' && !/^[)\]}*;]$/.test(before.text)
}

/**
 * Takes the FORMAT clause off. A name `format` is left, in quotes, so that the engine too takes it for one.
 * @throws Refused SYNTAX_ERROR for a clause that is not at the end, ACCESS_DENIED for a format that is not offered
 */
export const takeFormat = (list: SqlToken[]): string | undefined => {
  for (let i = 0; i < list.length; i++) {
    const token = list[i]!
    if (wordOf(token) !== 'format' || isMark(list[i + 1], '(') || isMark(list[i - 1], '.')) continue
    if (standsAsName(list, i)) {
      list[i] = { ...token, kind: 'quoted' }
      continue
    }
    const name = list[i + 1]
    if (i !== list.length - 2 || !isName(name) || name.kind === 'quoted')
      throw syntax('FORMAT <name> is only allowed at the end of the statement')
    list.splice(i)
    checkFormat(name.text)
    return name.text
  }
  return undefined
}

const PROGRESS = '{"progress":'

/**
 * An answer without its lines of progress, for formats that have them. Lines of rows begin with `{"row":`, and a line
 * break in a value is escaped, so that no value is taken for one.
 */
export const withoutProgress = (bytes: Uint8Array, format: string): Uint8Array => {
  if (!/withprogress$/i.test(format)) return bytes
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Buffer[] = []
  let from = 0
  for (let at = all.indexOf(PROGRESS); at >= 0; at = all.indexOf(PROGRESS, at + 1)) {
    if (at > 0 && all[at - 1] !== 0x0a) continue
    kept.push(all.subarray(from, at))
    const end = all.indexOf(0x0a, at)
    from = end < 0 ? all.length : end + 1
  }
  return Buffer.concat([...kept, all.subarray(from)])
}
