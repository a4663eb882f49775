/** The part of a value that is refused, found without looking for the faults of all the rest (ADR 254). */

/** The library may look at so many items that are refused only together. */
const FEW = 16
/** Longer texts are cut to so many characters where they are refused all the same: a pattern is tried on what is left. */
const LONG_TEXT = 4_096
/** So many questions at most: each is a check of the whole value, which is smaller each time. */
const MAX_CHECKS = 400

export type Shrunk = {
  /** Refused as the whole was. */
  value: unknown
  /** Of each array that was cut to one item, by its pointer, the place that the item had. */
  shifts: ReadonlyMap<string, number>
  /** The array that is refused for the number of its items alone. */
  tooLong: { pointer: string; most: number } | null
}

type Container = Record<string, unknown> | unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * Of each array of a refused value one item stays, that which it is refused for: the library looks for faults in every item,
 * which for a mebibyte takes a third of a second, while its compiled check stops at the first one.
 * Long texts are cut likewise. The value is changed in place.
 * @param fits the compiled check; it refuses `value`
 */
export function shrinkToFault(value: unknown, fits: (value: unknown) => boolean): Shrunk {
  const shifts = new Map<string, number>()
  const root = { value }
  let checks = 0
  let tooLong: Shrunk['tooLong'] = null

  function shrink(holder: Container, key: string, pointer: string): void {
    const held = (holder as Record<string, unknown>)[key]
    if (checks >= MAX_CHECKS || tooLong !== null) return
    /** Whether the value is refused with this in its place. */
    const refusedWith = (part: unknown): boolean => {
      checks++
      ;(holder as Record<string, unknown>)[key] = part
      return !fits(root.value)
    }
    if (typeof held === 'string' && held.length > LONG_TEXT && !refusedWith(held.slice(0, LONG_TEXT))) refusedWith(held)
    if (!isContainer(held)) return
    let kept: Container = held
    if (Array.isArray(held) && held.length > 1) {
      const end = firstRefused(held, refusedWith)
      kept = [held[end - 1]]
      if (refusedWith(kept)) shifts.set(pointer, end - 1)
      else if (end > FEW && isTooLong(held.slice(0, end), refusedWith))
        tooLong = { pointer: unshifted(pointer, shifts), most: end - 1 }
      else {
        kept = held.slice(0, end)
        refusedWith(kept)
      }
    }
    for (const inner of Object.keys(kept)) shrink(kept, inner, `${pointer}/${escaped(inner)}`)
  }

  shrink(root, 'value', '')
  return { value: root.value, shifts, tooLong }
}

/** How many of the first items are refused. No schema demands more than one, so a part is not refused for its length. */
function firstRefused(items: unknown[], refusedWith: (items: unknown[]) => boolean): number {
  if (refusedWith(items.slice(0, 1))) return 1
  let [passes, fails] = [1, items.length]
  while (fails - passes > 1) {
    const middle = (passes + fails) >> 1
    if (refusedWith(items.slice(0, middle))) fails = middle
    else passes = middle
  }
  return fails
}

/** Whether items that are refused only together are too many, and not one that is there twice. */
const isTooLong = (items: unknown[], refusedWith: (items: unknown[]) => boolean): boolean =>
  !refusedWith(items.slice(1)) && !refusedWith(items.toSpliced(-2, 1))

/** The pointer of a fault of a shrunken value in the value as it was. */
export function unshifted(pointer: string, shifts: ReadonlyMap<string, number>): string {
  if (shifts.size === 0) return pointer
  let [shrunk, whole] = ['', '']
  for (const part of pointer.split('/').slice(1)) {
    const at = shifts.get(shrunk)
    shrunk += `/${part}`
    whole += `/${at ?? part}`
  }
  return whole
}
