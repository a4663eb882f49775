/** Bounds of the texts of an event (decisions 14.1). */

/** UTF-8 bytes of a value of a field, and of a reference. */
export const MAX_VALUE_BYTES = 2_048
/** Characters of an id, a host and a user. */
export const MAX_NAME_CHARACTERS = 255

/** Why no member of an event may be this text; null when it may. A NUL ends texts in too many stores. */
const unusable = (text: string): string | null => {
  if (text.includes('\0')) return 'must not contain a NUL character'
  return text.isWellFormed() ? null : 'must be well-formed Unicode; it contains an unpaired surrogate'
}

/** Why a text is no value or reference of an event; null when it may be one. Goes on after its name. */
export function valueFault(text: string): string | null {
  // A UTF-16 code unit takes at most 3 bytes, so most values need no count.
  if (text.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(text) > MAX_VALUE_BYTES)
    return `must be at most ${MAX_VALUE_BYTES} bytes`
  return unusable(text)
}

/** The same of an id, a host and a user. */
export function nameFault(text: string): string | null {
  if (text.length > MAX_NAME_CHARACTERS && isLong(text)) return `must be at most ${MAX_NAME_CHARACTERS} characters`
  return unusable(text)
}

/** Characters beyond the first plane take two code units. */
const isLong = (text: string): boolean =>
  text.length > 2 * MAX_NAME_CHARACTERS || [...text].length > MAX_NAME_CHARACTERS

/** The name of an unknown member as an answer can show it, whatever somebody sent. */
export const shownName = (name: string): string =>
  (name.length > 64 ? `${name.slice(0, 64)}...` : name).replaceAll('\0', '').toWellFormed()
