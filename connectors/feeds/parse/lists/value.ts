import { definitionOf } from '../../../../schemas/intelligence/entities/catalogue.ts'
import { detect } from '../../../../schemas/intelligence/ingest/detect.ts'
import { type FeedItem, type FeedOptions, type IndicatorExtra, indicator, rejected } from '../item.ts'
import { causeOf } from './cause.ts'
import { readExtent } from './extent.ts'

/** Types whose values are hosts: they may have a port, or a label beside them. */
const HOSTS = new Set(['ip', 'domain', 'hostname'])
/** Data types whose values may have blanks. */
const TEXTS = new Set(['String', 'Case-sensitive string', 'Path', 'Regex', 'Adversary', 'Country', 'City', 'Phone'])

/** Whether values of the type may have blanks: then the whole text is one, whatever is in it. */
export const isText = (type: string | undefined): boolean =>
  type !== undefined && TEXTS.has(definitionOf(type)?.dataType ?? '')

/** A value with a slash that is no network: a URL or a path, of which what follows a blank may be a part. */
export const isOpen = (text: string): boolean => text.includes('/') && !/^[\da-f.:[\]]+\/\d{1,3}$/i.test(text)

/** A value, and the label in brackets behind it: `203.0.113.28 (DC01)`. */
export function withoutLabel(text: string): string {
  const open = text.endsWith(')') ? text.lastIndexOf('(') : text.endsWith(']') ? text.lastIndexOf('[') : -1
  return open > 0 && /\s/.test(text[open - 1]!) ? text.slice(0, open).trimEnd() : text
}

/** A text without the quotes around the whole of it. */
export function unquoted(text: string): string {
  const quote = text[0]
  if ((quote !== '"' && quote !== "'") || text.length < 2 || !text.endsWith(quote)) return text
  const inner = text.slice(1, -1)
  return inner.includes(quote) ? text : inner.trim()
}

/**
 * The entities of a text that is one value, a range or a network with its netmask, with a label in brackets or without:
 * the whole text is understood, or refused with its cause (ADR 255).
 */
export function valueItems(line: number, raw: string, options: FeedOptions, extra: IndicatorExtra = {}): FeedItem[] {
  const { type } = options
  if (isText(type)) return [indicator(line, raw, options, extra)]
  const whole = unquoted(raw)
  const text = withoutLabel(whole)
  if (text !== whole && isOpen(text))
    return [rejected(line, 'a URL or path, and after a blank a part of it or a label', raw)]
  const extent = readExtent(text)
  if (extent === null) return [single(line, text, raw, options, extra)]
  if (!extent.ok) return [rejected(line, extent.fault, raw)]
  const unfit = extent.networks.find((network) => type !== undefined && network.type !== type && type !== 'cidr')
  if (unfit !== undefined) return [rejected(line, `${unfit.value} is not of the type ${type}`, raw)]
  return extent.networks.map(({ value }) => indicator(line, value, options, extra))
}

/** A network, and a sign between columns. */
const NETWORK_AND_MORE = /^\d+\.\d+\.\d+\.\d+\/\d{1,3}\s*[,;|]/

function single(line: number, text: string, raw: string, options: FeedOptions, extra: IndicatorExtra): FeedItem {
  const { type } = options
  if (type === undefined) {
    // It would be a URL without its scheme: `198.51.100.0/24,SBL1`.
    if (NETWORK_AND_MORE.test(text)) return rejected(line, causeOf(text), raw)
    const item = indicator(line, text, options, extra)
    return 'rejected' in item ? rejected(line, causeOf(text), raw) : item
  }
  if (!HOSTS.has(type)) return indicator(line, text, options, extra)
  const found = detect(text)
  const fits =
    found !== null && (found.type === type || (found.type !== 'ip' && HOSTS.has(found.type) && type !== 'ip'))
  if (!fits)
    return rejected(line, found === null ? causeOf(text) : `not of the type ${type}, but of ${found.type}`, raw)
  return indicator(line, found.value, options, { ...extra, attributes: { ...extra.attributes, ...found.attributes } })
}
