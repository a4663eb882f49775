import { outOfBounds } from '../entities/datatypes/bounds.ts'
import { text } from '../entities/datatypes/text.ts'
import { type Invalid, invalid } from './invalid.ts'

export const MAX_TAGS = 100
/** UTF-8 bytes of one tag in normal form. */
export const MAX_TAG_BYTES = 256

/** The tag that a text is, in its normal form; null: no report can have such a tag. */
export function tagOf(given: string): string | null {
  const read = normaliseTags([given])
  return read.ok ? read.tags[0]! : null
}

/** Trimmed, lower-cased, distinct, sorted (decisions 4). */
export function normaliseTags(given: readonly string[] | undefined): { ok: true; tags: string[] } | Invalid {
  if (given === undefined || given.length === 0) return { ok: true, tags: [] }
  if (given.length > MAX_TAGS) return invalid('tags', `tags must have at most ${MAX_TAGS} entries`)
  const distinct = new Set<string>()
  for (const [i, raw] of given.entries()) {
    const param = `tags[${i}]`
    const refusal = outOfBounds(raw)
    if (refusal !== null) return invalid(param, `${param} ${refusal.reason}`)
    const tag = text(raw)
    if (typeof tag !== 'string') return invalid(param, `${param} ${tag.reason}`)
    if (Buffer.byteLength(tag) > MAX_TAG_BYTES) return invalid(param, `${param} must be at most ${MAX_TAG_BYTES} bytes`)
    distinct.add(tag)
  }
  return { ok: true, tags: [...distinct].sort() }
}
