import { momentIn } from './moment.ts'

/** Which versions are asked for; a number is the version itself, in unix microseconds. */
export type VersionWanted = 'last' | 'first' | 'all' | number

/** Which objects of a collection are asked for (TAXII 2.1, 3.4.1); null: all of them. */
export type CollectionFilter = {
  ids: readonly string[] | null
  types: readonly string[] | null
  /** One of them is enough. */
  versions: readonly VersionWanted[]
  /** Whether objects of STIX 2.1 are wanted at all: a collection has no others. */
  speaks21: boolean
}

/** Values of one parameter, at most. */
export const MAX_MATCHES = 100
const WORD = /^[a-z0-9][a-z0-9-]{0,249}$/
const ID = /^[a-z0-9][a-z0-9-]{0,249}--[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const SPEC_VERSION = /^\d\.\d$/

export type ReadFilter = { ok: true; filter: CollectionFilter } | { ok: false; param: string; message: string }

type Given = { id?: string; type?: string; version?: string; specVersion?: string }

/** What `match[...]` says, each a list between commas. Without a version it is the last one of each object. */
export function readFilter({ id, type, version, specVersion }: Given): ReadFilter {
  const faults: { param: string; message: string }[] = []
  const valuesOf = (name: string, text: string | undefined): readonly string[] | null => {
    if (text === undefined) return null
    const values = [...new Set(text.split(','))]
    if (values.length > MAX_MATCHES) faults.push({ param: name, message: `has more than ${MAX_MATCHES} values` })
    return values
  }
  const checked = (name: string, text: string | undefined, form: RegExp, what: string): readonly string[] | null => {
    const values = valuesOf(name, text)
    if (values?.every((value) => form.test(value)) === false)
      faults.push({ param: name, message: `must be ${what}, separated by commas` })
    return values
  }
  const ids = checked('match[id]', id, ID, 'ids of STIX objects')
  const types = checked('match[type]', type, WORD, 'types of STIX objects')
  const specs = checked('match[spec_version]', specVersion, SPEC_VERSION, 'versions of STIX')
  const versions = (valuesOf('match[version]', version) ?? ['last']).map(versionOf)
  if (versions.includes(null))
    faults.push({ param: 'match[version]', message: 'must be first, last, all or times, separated by commas' })
  if (faults[0] !== undefined) return { ok: false, ...faults[0] }
  const speaks21 = specs === null || specs.includes('2.1')
  return { ok: true, filter: { ids, types, versions: versions.filter((one) => one !== null), speaks21 } }
}

function versionOf(text: string): VersionWanted | null {
  if (text === 'last' || text === 'first' || text === 'all') return text
  const moment = momentIn(text)
  // No object has a version of before 1970, and the store has no number for one.
  return moment === null ? null : Math.max(0, moment)
}
