/** The media type of TAXII 2.1, as requests name it (TAXII 2.1, 1.6.8). */

import { TAXII_MEDIA } from '../../http/answers/taxii-errors.ts'
import { ApiError } from '../../http/errors.ts'

const RANGES = ['application/taxii+json', 'application/*', '*/*']
/** Longest header that is looked at, in characters. */
const MAX_HEADER = 1_000

type MediaRange = { name: string; version: string | null; isRefused: boolean }

function readRange(text: string): MediaRange {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const parameterOf = (wanted: string): string | null => {
    const found = parameters.find((parameter) => parameter.startsWith(`${wanted}=`))
    return found === undefined ? null : found.slice(wanted.length + 1).replace(/^"(.*)"$/, '$1')
  }
  return { name, version: parameterOf('version'), isRefused: Number(parameterOf('q') ?? '1') === 0 }
}

/** Throws 406 where what is accepted has no place for TAXII 2.1; a request that says nothing accepts everything. */
export function mustAccept(header: string | undefined): void {
  if (header === undefined || header.trim() === '') return
  const ranges = header.length > MAX_HEADER ? [] : header.split(',').map(readRange)
  const suits = ({ name, version, isRefused }: MediaRange): boolean =>
    !isRefused && RANGES.includes(name) && (version === null || version === '2.1')
  if (!ranges.some(suits)) throw new ApiError('not_acceptable', { message: `accept must allow ${TAXII_MEDIA}` })
}

/** Throws 415 for a body of another type. */
export function mustBeTaxii(header: string | undefined): void {
  const { name, version } = readRange(header ?? '')
  if (name !== 'application/taxii+json' || (version !== null && version !== '2.1'))
    throw new ApiError('unsupported_media_type', { message: `content-type must be ${TAXII_MEDIA}` })
}
