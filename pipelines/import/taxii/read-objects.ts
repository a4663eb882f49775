import { hash } from 'node:crypto'
import { isObject } from '../../../connectors/feeds/parse/document.ts'

/** Objects that are remembered: those of one import at most. */
const MOST = 20_000

/**
 * Remembers which objects were read with the dates around the place that is kept. Servers may answer them again: those that
 * understand `added_after` as "from", write dates without all of their digits, or write none. What is read again is not
 * imported again, which would renew its claims (ADR 256).
 * @param before what `all` gave at the end of the last poll
 */
export function readObjects(before: readonly string[], most = MOST) {
  let older = new Set<string>()
  let newer = new Set(before)
  function turn(): void {
    older = newer
    newer = new Set()
  }
  return {
    /** Those of a page that are new. Definitions of markings always are: what comes later refers to them. */
    fresh(objects: readonly unknown[]): unknown[] {
      return objects.filter((object) => {
        if (isObject(object) && object.type === 'marking-definition') return true
        const name = hash('sha256', JSON.stringify(object) ?? '', 'base64url').slice(0, 22)
        if (older.has(name) || newer.has(name)) return false
        if (newer.size >= most) turn()
        newer.add(name)
        return true
      })
    },
    /** A later date has begun: what is of earlier ones than the last does not come again. */
    turn,
    /** The latest ones. */
    all: (): string[] => [...older, ...newer].slice(-most),
  }
}
