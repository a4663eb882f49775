import { type Place, placeOf } from '../../../schemas/match/place.ts'
import { nameLookups } from '../../../schemas/match/subject.ts'
import { marksOf } from './indicators.ts'
import { remembered } from './remembered.ts'

/** What follows from a name in normal form, in whichever field it stands. */
export type ReadName = Place & { marks: readonly number[] }

/** Characters: some 10,000 names. */
const MAX_REMEMBERED = 1_000_000

/** @param name in normal form */
export function readName(name: string): ReadName {
  const lookups = nameLookups(name)
  const { anchor, key } = placeOf({ host: name, address: null, value: name, lookups })
  return { anchor, key, marks: marksOf(lookups) }
}

/** Reads names, and remembers those that come often: one stands in many URLs. */
export function nameReader(): typeof readName {
  const names = remembered<ReadName>(MAX_REMEMBERED)
  return (name) => names.get(name, readName)
}
