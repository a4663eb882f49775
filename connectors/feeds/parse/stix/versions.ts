import { type Json, textOf } from '../document.ts'
import { momentOf } from './circumstances.ts'

const DIGITS = 9

/**
 * When this version of an object was made, as text that sorts by time to the nanosecond: STIX allows more digits than a
 * number of milliseconds has. `''` for observables, which have no versions, and for what is no timestamp.
 */
export function versionOf(object: Json): string {
  const moment = momentOf(object.modified)
  if (moment === undefined) return ''
  const [, fraction = ''] = /T\d\d:\d\d:\d\d\.(\d+)/.exec(textOf(object.modified)) ?? []
  const seconds = new Date(Math.floor(moment / 1_000) * 1_000).toISOString().slice(0, 19)
  return `${seconds}.${fraction.slice(0, DIGITS).padEnd(DIGITS, '0')}Z`
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
