import type { Command } from 'commander'
import { plain } from './table.ts'
import { relativeTime } from './values/relative-time.ts'

/** Adds `--json`, the same words at every command. */
export const withJson = (command: Command, form = 'as one JSON document'): Command =>
  command.option('--json', `print ${form}, with exact times`)

export const LINES = 'one line of JSON each'

/** JSON itself leaves these as they are, and a terminal obeys some of them. */
const CONTROLS = /[\u007f-\u009f\u2028\u2029]/g

/** JSON without a character that a terminal obeys. */
export const json = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(
    CONTROLS,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** One document: indented, because people read it too. */
export const document = (value: unknown): string => `${json(value, 2)}\n`

/** One line for each. */
export const jsonLines = (values: readonly unknown[]): string => values.map((value) => `${json(value)}\n`).join('')

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/
/** Properties that hold unix seconds. */
const SECONDS = new Set(['expireAt'])

/** A record of the API for people: a line for each property, with times as they are told. */
export function fields(record: object, now: number): string {
  const rows = Object.entries(record).filter(([, value]) => value !== undefined)
  const width = Math.max(0, ...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${plain(said(name, value, now))}\n`).join('')
}

function said(name: string, value: unknown, now: number): string {
  if (value === null || value === '') return '-'
  if (typeof value === 'string') return ISO_TIME.test(value) ? relativeTime(Date.parse(value), now) : value
  if (typeof value === 'number' && SECONDS.has(name)) return relativeTime(value * 1_000, now)
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return value.length === 0 ? '-' : value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

type Shown = { stdout: { write(text: string): unknown }; now: () => number }

/** Prints an answer: as JSON, or its properties line by line; nothing for an answer without a body. */
export function show({ stdout, now }: Shown, answer: unknown, json: boolean | undefined): void {
  if (typeof answer !== 'object' || answer === null) return
  stdout.write(json ? document(answer) : fields(answer, now()))
}
