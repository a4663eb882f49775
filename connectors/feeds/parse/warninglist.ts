import { detect } from '../../../schemas/intelligence/ingest/detect.ts'
import { isObject, textOf } from './document.ts'
import { type FeedItem, rejected } from './item.ts'

/** Kinds of warning lists whose entries are values; the others hold patterns, which name no entity. */
const KINDS = new Set(['string', 'hostname', 'cidr'])

/**
 * Well-known entities of a MISP warning list `{name, description, type, list}`; each carries the name of its list as
 * `category`. A leading dot (every name below it) stands for the name itself.
 * @throws when the document is no warning list.
 */
export function* warningList(document: unknown): Generator<FeedItem> {
  if (!isObject(document) || !Array.isArray(document.list)) {
    throw new Error('not a warning list: expected {"name", "type", "list": [...]}')
  }
  const name = textOf(document.name).trim()
  const kind = textOf(document.type) || 'string'
  let line = 0
  for (const entry of document.list) {
    line++
    const raw = textOf(entry).trim()
    if (!KINDS.has(kind)) {
      yield rejected(line, `a ${kind} list holds patterns, not values`, raw)
      continue
    }
    const found = detect(kind === 'hostname' ? raw.replace(/^\*?\./, '') : raw)
    if (found === null) {
      yield rejected(line, 'not an indicator of a known kind', raw)
      continue
    }
    const attributes = { ...(name === '' ? {} : { category: name }), ...found.attributes, [found.type]: found.value }
    yield { line, entity: { type: found.type, attributes }, wellKnown: true }
  }
}
