import type { Json } from '../../answers/port.ts'
import { output } from '../bytes/output.ts'

/** Replies of RESP, into the round that is under way. Texts are ASCII without line ends. */

export type Version = 2 | 3

export const status = (text: string): void => output.text(`+${text}\r\n`)

export const error = (text: string): void => output.text(`-${text}\r\n`)

export const integer = (number: number): void => output.text(`:${number}\r\n`)

export const bulk = (text: string): void => output.text(`$${text.length}\r\n${text}\r\n`)

export const array = (count: number): void => output.text(`*${count}\r\n`)

/** Names and values follow, which RESP2 writes as one list. */
export const map = (version: Version, entries: number): void =>
  output.text(version === 3 ? `%${entries}\r\n` : `*${2 * entries}\r\n`)

/** Text for people, which may have lines. */
export const verbatim = (version: Version, text: string): void =>
  version === 3 ? output.text(`=${text.length + 4}\r\ntxt:${text}\r\n`) : bulk(text)

export const nil = (version: Version): void => output.text(version === 3 ? '_\r\n' : '$-1\r\n')

/** A verdict; null: nil. */
export function verdict(version: Version, json: Json | null): void {
  if (json === null) nil(version)
  else output.json(`$${json.bytes}\r\n`, json, '\r\n')
}
