import type { IncomingHttpHeaders } from 'node:http'
import { writtenDate } from '../parse/stix/written-date.ts'
import { TaxiiFault, type TaxiiPage } from './port.ts'

const MAX_NEXT = 4_096

/**
 * What a server answered with 200 as a page. The objects are what counts: a header of dates that cannot be read is noted, and
 * what is written a little beside the standard is read (ADR 256).
 * @throws TaxiiFault that says what is wrong with it
 */
export function pageOf(name: string, headers: IncomingHttpHeaders, body: Buffer): TaxiiPage {
  const type = headers['content-type'] ?? ''
  const foreign = new TaxiiFault(
    `${name}: expected application/taxii+json;version=2.1, the server answered "${shown(type)}"`,
  )
  if (!isTaxii(type) && !isOtherJson(type)) throw foreign
  const envelope = jsonOf(name, body)
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope))
    throw new TaxiiFault(`${name}: expected an envelope {"objects": [...]}`)
  const { objects, more, next } = envelope as Record<string, unknown>
  // Any JSON may be an object without "objects": only TAXII says by its type that this is an empty page.
  if (!isTaxii(type) && !Array.isArray(objects)) throw foreign
  if (!Array.isArray(objects ?? [])) throw new TaxiiFault(`${name}: "objects" is not a list`)
  const isMore = truthOf(more ?? false)
  if (isMore === undefined) throw new TaxiiFault(`${name}: "more" is neither true nor false`)
  const following = typeof next === 'number' ? String(next) : (next ?? '')
  if (typeof following !== 'string' || following.length > MAX_NEXT)
    throw new TaxiiFault(`${name}: "next" is not a text of 1 to ${MAX_NEXT} characters`)
  const [first, last] = [dateOf(headers, 'First'), dateOf(headers, 'Last')]
  return {
    objects: (objects ?? []) as unknown[],
    more: isMore,
    next: following === '' ? null : following,
    first: first.date,
    last: last.date,
    undated: last.date === null ? last.why : null,
    servedAt: typeof headers.date === 'string' ? writtenDate(headers.date) : null,
    bytes: body.length,
  }
}

/** Without a version it is the one that was asked for. */
const isTaxii = (type: string): boolean => {
  const [media, ...parameters] = partsOf(type)
  if (media !== 'application/taxii+json') return false
  const version = parameters.find((parameter) => parameter.startsWith('version='))
  return version === undefined || /^version="?2\.1"?$/.test(version)
}

/** What servers write that know JSON alone, or name what is inside. */
const OTHER_JSON = new Set(['application/json', 'application/stix+json', 'application/vnd.oasis.stix+json'])
const isOtherJson = (type: string): boolean => OTHER_JSON.has(partsOf(type)[0]!)

const partsOf = (type: string): string[] => type.split(';').map((part) => part.trim().toLowerCase())

/** A boolean, also as text or number. */
function truthOf(value: unknown): boolean | undefined {
  const text = String(value).toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

function jsonOf(name: string, body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new TaxiiFault(`${name}: the answer is not JSON`)
  }
}

type ReadDate = { date: string; why: null } | { date: null; why: string }

function dateOf(headers: IncomingHttpHeaders, which: 'First' | 'Last'): ReadDate {
  const name = `X-TAXII-Date-Added-${which}`
  const value = headers[name.toLowerCase()]
  if (value === undefined) return { date: null, why: `the server does not say when objects were added (${name})` }
  const date = writtenDate(String(value))
  return date === null ? { date, why: `${name} is not a timestamp: "${shown(String(value))}"` } : { date, why: null }
}

const shown = (text: string): string => text.slice(0, 100).replace(/[\p{C}"]/gu, '?')
