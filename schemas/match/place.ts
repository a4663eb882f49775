import { NAME_TYPES, URL_TYPES } from '../intelligence/compare/compare-names.ts'
import { registrableOf } from '../intelligence/compare/names-above.ts'
import { type Range, rangeOf } from '../intelligence/propagation/range.ts'
import { type Subject, subjectOf } from './subject.ts'

/**
 * Where the ledger has a value: `anchor` brings together what an indicator is looked for by, `key` orders the names below
 * one registrable domain, so that those below any name of it stand together.
 */
export type Place = { anchor: string; key: string }

/** Where rows that an entity may match stand: places with one of these anchors, or between two of them. */
export type Reach = {
  anchors: readonly string[]
  /** Names with all below them, as keys; empty: whatever is under the anchors. What has no key is never left out. */
  below: readonly string[]
  /** First and last anchor, both included. */
  ranges: readonly (readonly [string, string])[]
}

const V4_IN_V6 = '00000000000000000000ffff'

const pointText = (point: Range['first']): string =>
  typeof point === 'number' ? V4_IN_V6 + point.toString(16).padStart(8, '0') : point

/** The labels of a name from the last to the first; without a list of them, as there is one for every value. */
function reversed(name: string): string {
  let found = ''
  for (let end = name.length; ; ) {
    const dot = name.lastIndexOf('.', end - 1)
    found += name.slice(dot + 1, end)
    if (dot < 0) return found
    found += '.'
    end = dot
  }
}

const placeOfName = (name: string): Place => {
  const key = reversed(name)
  const registrable = registrableOf(name)
  return { anchor: `n:${registrable === null ? key : reversed(registrable)}`, key }
}

const placeOfAddress = (address: string): Place => ({
  anchor: `a:${pointText(rangeOf('ip', address)!.first)}`,
  key: '',
})

/** Where the ledger has a subject: a URL stands with its host. */
export function placeOf({ host, address, value, lookups }: Omit<Subject, 'kind'>): Place {
  if (host !== null) {
    const key = reversed(host)
    // What a name is looked up by ends with its registrable domain, or is the name alone.
    const last = lookups.at(-1)!.value
    return { anchor: `n:${last.length === host.length ? key : reversed(last)}`, key }
  }
  return address === null ? { anchor: `v:${value}`, key: '' } : placeOfAddress(address)
}

/** Where rows stand that an entity of this type and value may match; in normal form. */
export function reachOf(type: string, value: string): Reach {
  const range = rangeOf(type, value)
  if (range !== null) {
    const [first, last] = [`a:${pointText(range.first)}`, `a:${pointText(range.last)}`]
    return first === last
      ? { anchors: [first], below: [], ranges: [] }
      : { anchors: [], below: [], ranges: [[first, last]] }
  }
  if (NAME_TYPES.includes(type)) {
    const { anchor, key } = placeOfName(value)
    return { anchors: [anchor], below: [key], ranges: [] }
  }
  const subject = URL_TYPES.includes(type) ? subjectOf('url', value) : null
  const { anchor, key } = subject === null ? { anchor: `v:${value}`, key: '' } : placeOf(subject)
  // Also of a URL: beside names, what is under its anchor alone would be left out.
  return { anchors: [anchor], below: key === '' ? [] : [key], ranges: [] }
}
