import { type Json, textOf } from '../document.ts'
import { writtenDate } from './written-date.ts'

const DIGITS = 9

/**
 * When this version of an object was made, as text that sorts by time to the nanosecond: STIX allows more digits than a
 * number of milliseconds has. `''` for observables, which have no versions, and for what is no timestamp.
 */
export function versionOf(object: Json): string {
  const [seconds, fraction = ''] = writtenDate(textOf(object.modified))?.replace('Z', '').split('.') ?? []
  return seconds === undefined ? '' : `${seconds}.${fraction.padEnd(DIGITS, '0')}Z`
}

/**
 * Without older versions of what the same list has a newer one of; of equal versions the last holds. Objects without an id
 * or without versions all stay, in their order.
 */
export function newestOf(objects: readonly Json[]): Json[] {
  const newest = new Map<string, { object: Json; version: string }>()
  for (const object of objects) {
    const [id, version] = [textOf(object.id), versionOf(object)]
    if (id === '' || version === '') continue
    const known = newest.get(id)
    if (known === undefined || version >= known.version) newest.set(id, { object, version })
  }
  return objects.filter((object) => {
    const held = newest.get(textOf(object.id))
    return held === undefined || held.object === object || versionOf(object) === ''
  })
}
