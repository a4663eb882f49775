/** A place in a text, counted from 1. */
export type TextPosition = { line: number; column: number }

/** What JSON.parse says of a text, and where; the place is null where the browser does not tell it. */
export type ParsedJson = { value: unknown } | { message: string; spot: TextPosition | null }

/** Reads JSON; never throws. */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const reported = String((error as Error).message)
    const message = reported.replace(/^JSON\.parse:\s*/, '').replace(/ (?:in JSON )?at (?:position|line) \d.*$/s, '')
    return { message, spot: positionInMessage(reported, text) }
  }
}

function positionInMessage(reported: string, text: string): TextPosition | null {
  const lines = /line (\d+) column (\d+)/.exec(reported)
  if (lines !== null) return { line: Number(lines[1]), column: Number(lines[2]) }
  const position = /position (\d+)/.exec(reported)?.[1]
  if (position !== undefined) return positionOf(text, Number(position))
  return /end of/i.test(reported) ? positionOf(text, text.length) : null
}

/** Line and column of an offset. */
export function positionOf(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y

/** Where a refused parameter such as `query.must[2].term` stands in JSON text; null when it does not. */
export function positionOfParam(text: string, param: string): TextPosition | null {
  const wanted = param.split(/[.[\]]+/).filter((part) => part !== '')
  let best: { depth: number; offset: number } | null = null
  const path: (string | number)[] = []
  let key: { name: string; offset: number } | null = null
  TOKEN.lastIndex = 0
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [whole, mark = ''] = token
    const offset = token.index + whole.length - mark.length
    if (mark === '{' || mark === '[') path.push(mark === '[' ? 0 : '')
    else if (mark === '}' || mark === ']') path.pop()
    else if (mark === ',') step(path)
    else if (mark === ':' && key !== null && typeof path.at(-1) === 'string') path[path.length - 1] = key.name
    else if (mark.startsWith('"')) key = { name: mark.slice(1, -1), offset }
    if (mark === '[' || mark === ',' || mark === ']' || mark === '}') continue
    const depth = matching(path, wanted)
    if (depth > (best?.depth ?? 0)) best = { depth, offset: mark === ':' ? key!.offset : offset }
  }
  return best === null ? null : positionOf(text, best.offset)
}

function step(path: (string | number)[]): void {
  const here = path.at(-1)
  if (typeof here === 'number') path[path.length - 1] = here + 1
  else if (here !== undefined) path[path.length - 1] = ''
}

/** How many parts of the wanted path this one names, when all of its own are among them. */
function matching(path: readonly (string | number)[], wanted: readonly string[]): number {
  const own = path.at(-1) === '' ? path.slice(0, -1) : path
  return own.length <= wanted.length && own.every((part, i) => String(part) === wanted[i]) ? own.length : 0
}
