/** What an entry takes beside its text, as so many characters. */
const ENTRY = 64

/**
 * What was read lately, by its text: telemetry repeats itself. Half of it is what came last, so that taking something in
 * costs no order of uses.
 * @param most characters of texts and entries, so that long texts take the place of many
 */
export function remembered<V extends NonNullable<unknown> | null>(most: number) {
  let recent = new Map<string, V>()
  let earlier = new Map<string, V>()
  let size = 0

  function set(text: string, found: V): V {
    size += ENTRY + text.length
    if (size > most / 2) {
      earlier = recent
      recent = new Map()
      size = ENTRY + text.length
    }
    recent.set(text, found)
    return found
  }

  return {
    /** What is remembered of a text; else what `read` gives, which is remembered from then on. */
    get(text: string, read: (text: string) => V): V {
      const known = recent.get(text)
      if (known !== undefined) return known
      const before = earlier.get(text)
      return set(text, before === undefined ? read(text) : before)
    },
  }
}
