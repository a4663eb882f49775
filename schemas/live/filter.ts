/** Which changes a stream tells (decisions 12.1). */

import { definitionOf } from '../intelligence/entities/catalogue.ts'
import { MAX_TAGS, normaliseTags } from '../intelligence/ingest/tags.ts'
import { type CompiledSelector, compileSelector } from '../intelligence/selectors/compile.ts'
import { readSelector } from '../intelligence/selectors/read.ts'
import { CHANGE_KINDS, type ChangeKind, type ViewChange } from '../intelligence/state/view-change.ts'

/** What a caller gives, as text. */
export type FilterQuery = {
  kinds?: string
  types?: string
  tags?: string
  reputationAtMost?: number
  selector?: string
}

export type Filter = {
  /** The same for filters that tell the same. */
  readonly text: string
  /**
   * How a step of these kinds is told, whole: `null` without a selector, else whether the view is inside after it.
   * undefined: it is not told.
   */
  told(kinds: readonly ChangeKind[], seen: ViewChange, now: number): boolean | null | undefined
}

export type FilterRefused = { ok: false; param: string; message: string }

const MAX_TYPES = 129
const BESIDE = ['kinds', 'types', 'tags', 'reputationAtMost'] as const

/** Reads what a caller gives, or says which parameter is wrong, and why. Never throws. */
export function readFilter(query: FilterQuery): { ok: true; filter: Filter } | FilterRefused {
  if (query.selector !== undefined) return ofSelector(query, query.selector)
  const kinds = listed('kinds', query.kinds, CHANGE_KINDS.length)
  if (!Array.isArray(kinds)) return kinds
  const wrongKind = kinds.find((kind) => !CHANGE_KINDS.includes(kind as ChangeKind))
  if (wrongKind !== undefined) return refused('kinds', `must be some of ${CHANGE_KINDS.join(', ')}`)
  const types = listed('types', query.types, MAX_TYPES)
  if (!Array.isArray(types)) return types
  const wrongType = types.find((type) => definitionOf(type) === undefined)
  if (wrongType !== undefined) return refused('types', `${wrongType} is not an entity type of the catalogue`)
  const given = listed('tags', query.tags, MAX_TAGS)
  if (!Array.isArray(given)) return given
  const tags = normaliseTags(given)
  if (!tags.ok) return refused('tags', tags.message)
  const { reputationAtMost: most } = query
  return { ok: true, filter: plainFilter(kinds as ChangeKind[], types, tags.tags, most ?? null) }
}

/** Everything but what changes nothing that is shown. */
function plainFilter(
  kinds: readonly ChangeKind[],
  types: readonly string[],
  tags: readonly string[],
  most: number | null,
): Filter {
  const ofKinds = new Set(kinds)
  const ofTypes = new Set(types)
  const ofTags = new Set(tags)
  const isAsked = (all: readonly ChangeKind[], { after }: ViewChange): boolean =>
    all.length > 0 &&
    (most === null || after.reputation <= most) &&
    (ofTypes.size === 0 || ofTypes.has(after.type)) &&
    (ofKinds.size === 0 || all.some((kind) => ofKinds.has(kind))) &&
    (ofTags.size === 0 || after.tags.some((tag) => ofTags.has(tag)))
  return {
    text: JSON.stringify({ kinds: kinds.toSorted(), types: types.toSorted(), tags: tags.toSorted(), most }),
    told: (all, seen) => (isAsked(all, seen) ? null : undefined),
  }
}

function ofSelector(query: FilterQuery, text: string): ReturnType<typeof readFilter> {
  const beside = BESIDE.find((name) => query[name] !== undefined)
  if (beside !== undefined) return refused(beside, 'cannot be combined with selector')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return refused('selector', 'must be JSON')
  }
  const read = readSelector(body)
  if (!read.ok) return read
  if (read.selector.seenWithin !== undefined)
    return refused('selector.seenWithin', 'is not allowed in streams, because passing time sends no change')
  return { ok: true, filter: selectorFilter(compileSelector(read.selector)) }
}

/** Entering, staying and leaving. */
const selectorFilter = (compiled: CompiledSelector): Filter => ({
  text: JSON.stringify({ selector: sortedKeys(compiled.selector) }),
  told(kinds, { before, after }, now) {
    if (kinds.length === 0) return undefined
    const match = compiled.holds(after, now)
    return match || (before !== null && compiled.holds(before, now)) ? match : undefined
  },
})

const sortedKeys = (value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, part]) => [name, sortedKeys(part)]),
      )

/** A list with commas; none when it is not given. */
function listed(param: string, text: string | undefined, most: number): string[] | FilterRefused {
  if (text === undefined) return []
  const parts = [...new Set(text.split(',').map((part) => part.trim()))]
  if (parts.includes('')) return refused(param, 'must be a list separated by commas, without empty entries')
  return parts.length > most ? refused(param, `must have at most ${most} entries`) : parts
}

const refused = (param: string, message: string): FilterRefused => ({ ok: false, param, message })
