/** What a page shows of an answer, held against the answer. */

import type { Ran } from '../platform/command.ts'
import type { Block } from './page.ts'

/** Stands for anything, as a value and as further members. */
const ANY = '…'

/** A moment, an id or a digest: of every answer its own. */
const VOLATILE =
  /^(?:\d{4}-\d\d-\d\d(?:T.*)?|[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f-]{27}|[a-z0-9_-]+--?[0-9a-f-]{16,}|[\w-]{20,})$/

/** JSON with `…` in place of values and of further members, as a page shows it: `…` becomes a string, or a member of that name. */
function withAny(text: string): string {
  const open: string[] = []
  let out = ''
  let last = ''
  for (let at = 0; at < text.length; at++) {
    const one = text[at]!
    if (one === '"') {
      const end = /"(?:[^"\\]|\\.)*"/y
      end.lastIndex = at
      const string = end.exec(text)?.[0] ?? one
      out += string
      at += string.length - 1
      last = '"'
      continue
    }
    if (one === '{' || one === '[') open.push(one)
    if (one === '}' || one === ']') open.pop()
    if (one === ANY) out += last === ':' || open.at(-1) !== '{' ? `"${ANY}"` : `"${ANY}":"${ANY}"`
    else out += one
    if (!/\s/.test(one)) last = one
  }
  return out
}

/** The documents of a block: one, or one a line. @throws SyntaxError for other text */
function shownDocuments(text: string): unknown[] {
  try {
    return [JSON.parse(withAny(text))]
  } catch (error) {
    const lines = text.trim().split('\n')
    if (lines.length === 1) throw error
    return lines.map((line) => JSON.parse(withAny(line)))
  }
}

/** The documents that a command printed last: the whole output, or its last lines. */
function printedDocuments(text: string, count: number): unknown[] {
  const lines = text.trim().split('\n')
  if (count > 1) return lines.slice(-count).map((line) => JSON.parse(line))
  for (const from of lines.keys()) {
    try {
      return [JSON.parse(lines.slice(from).join('\n'))]
    } catch {}
  }
  throw new Error(`no JSON at the end of: ${text.slice(-500)}`)
}

/** Where an answer is not as shown; none: it is. Numbers have the same type only: the platform is shared. */
export function unlike(shown: unknown, real: unknown, path = '$'): string[] {
  if (shown === ANY) return []
  if (typeof shown === 'string' && typeof real === 'string') return isText(shown, real) ? [] : [`${path}: ${real}`]
  if (Array.isArray(shown) && Array.isArray(real)) {
    const from = shown.indexOf(ANY)
    const listed = from < 0 ? shown : shown.slice(0, from)
    if (real.length < listed.length || (from < 0 && real.length !== shown.length))
      return [`${path}: ${real.length} items`]
    return listed.flatMap((one, at) => unlike(one, real[at], `${path}[${at}]`))
  }
  if (isObject(shown) && isObject(real)) {
    const missing = Object.keys(shown).filter((name) => name !== ANY && !(name in real))
    const more = ANY in shown ? [] : Object.keys(real).filter((name) => !(name in shown))
    const within = Object.keys(shown)
      .filter((name) => name !== ANY && name in real)
      .flatMap((name) => unlike(shown[name], real[name], `${path}.${name}`))
    return [
      ...missing.map((name) => `${path}.${name}: missing`),
      ...more.map((name) => `${path}.${name}: not shown`),
      ...within,
    ]
  }
  const kind = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
  if (typeof shown === 'boolean' && shown !== real) return [`${path}: ${JSON.stringify(real)}`]
  return kind(shown) === kind(real) ? [] : [`${path}: ${kind(real)}`]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isText(shown: string, real: string): boolean {
  if (shown === real || (VOLATILE.test(shown) && VOLATILE.test(real))) return true
  return shown.includes(ANY) && patternOf(shown).test(real)
}

const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split(ANY)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[\\s\\S]*')}$`,
  )

/** The first line that is not in the output, in order; null: all are. */
function missingLine(shown: string, printed: string): string | null {
  const lines = printed.split('\n').map((line) => line.trim())
  let from = 0
  for (const line of shown.trim().split('\n')) {
    const pattern = patternOf(line.trim())
    const at = lines.findIndex((one, index) => index >= from && pattern.test(one))
    if (at < 0) return line
    from = at + 1
  }
  return null
}

/** How the output of a block differs from what the page shows right below it; none: it is as shown. */
export function unlikeShown(blocks: readonly Block[], block: Block, { stdout, stderr }: Ran): string[] {
  return blocks
    .filter(({ follows }) => follows === block)
    .flatMap((shown) => {
      if (shown.info === 'output') {
        const line = missingLine(shown.code, `${stdout}${stderr}`)
        return line === null ? [] : [`not printed: ${line}`]
      }
      if (shown.language !== 'json' || shown.info !== '') return []
      const documents = shownDocuments(shown.code)
      const real = printedDocuments(stdout, documents.length)
      return documents.flatMap((one, at) => unlike(one, real[at]))
    })
}
