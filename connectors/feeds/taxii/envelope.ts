import type { IncomingHttpHeaders } from 'node:http'
import { TaxiiFault, type TaxiiPage } from './port.ts'

const MAX_NEXT = 4_096
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

/** What a server answered with 200 as a page. @throws TaxiiFault that says what is wrong with it */
export function pageOf(name: string, headers: IncomingHttpHeaders, body: Buffer): TaxiiPage {
  const type = headers['content-type'] ?? ''
  if (!isTaxii(type))
    throw new TaxiiFault(`${name}: expected application/taxii+json;version=2.1, the server answered "${shown(type)}"`)
  const envelope = jsonOf(name, body)
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope))
    throw new TaxiiFault(`${name}: expected an envelope {"objects": [...]}`)
  const { objects = [], more = false, next = null } = envelope as Record<string, unknown>
  if (!Array.isArray(objects)) throw new TaxiiFault(`${name}: "objects" is not a list`)
  if (typeof more !== 'boolean') throw new TaxiiFault(`${name}: "more" is neither true nor false`)
  if (next !== null && (typeof next !== 'string' || next === '' || next.length > MAX_NEXT))
    throw new TaxiiFault(`${name}: "next" is not a text of 1 to ${MAX_NEXT} characters`)
  const [first, last] = [dateOf(name, headers, 'first'), dateOf(name, headers, 'last')]
  return { objects, more, next: next as string | null, first, last, bytes: body.length }
}

/** Without a version it is the one that was asked for. */
const isTaxii = (type: string): boolean => {
  const [media, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  if (media !== 'application/taxii+json') return false
  const version = parameters.find((parameter) => parameter.startsWith('version='))
  return version === undefined || /^version="?2\.1"?$/.test(version)
}

function jsonOf(name: string, body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new TaxiiFault(`${name}: the answer is not JSON`)
  }
}

function dateOf(name: string, headers: IncomingHttpHeaders, which: 'first' | 'last'): string | null {
  const value = headers[`x-taxii-date-added-${which}`]
  if (value === undefined) return null
  const date = String(value)
  if (!DATE.test(date))
    throw new TaxiiFault(
      `${name}: X-TAXII-Date-Added-${which === 'first' ? 'First' : 'Last'} is not a timestamp: "${shown(date)}"`,
    )
  return date
}

const shown = (text: string): string => text.slice(0, 100).replace(/[\p{C}"]/gu, '?')
