/** Questions about what stands around a value, as clauses over current entities (ADR 268). */

import { readNetwork } from '../compare/compare-networks.ts'
import { entityId } from '../entities/id.ts'
import type { Subject } from '../ingest/around.ts'
import type { Clause, Field } from './clause.ts'

const VALUE: Field = { name: 'value', kind: 'keyword' }

/** These, and not the value itself. */
const othersThan = ({ type, value }: Subject, clause: Clause): Clause => ({
  is: 'bool',
  must: [clause],
  mustNot: [
    { is: 'equals', field: { name: 'entityID', kind: 'keyword' }, values: [entityId(type, value)], caseless: false },
  ],
  should: [],
  atLeast: 0,
})

/** Addresses and networks inside a network; null where it is none. */
export function inside(network: Subject): Clause | null {
  const read = readNetwork(network.value)
  return 'reason' in read ? null : othersThan(network, { is: 'within', field: VALUE, networks: [read] })
}

/** Names, URLs and mail addresses below a name. */
export const below = (name: Subject): Clause => othersThan(name, { is: 'suffix', field: VALUE, name: name.value })

/** Entities that carry the value as an attribute of theirs. */
export const carrying = (subject: Subject): Clause =>
  othersThan(subject, {
    is: 'equals',
    field: { name: 'anyAttribute', kind: 'keyword' },
    values: [subject.value],
    caseless: false,
  })

/** Domains that begin with this label. */
export const beginningWith = (label: string): Clause => ({
  is: 'bool',
  must: [
    { is: 'equals', field: { name: 'type', kind: 'keyword' }, values: ['domain'], caseless: false },
    { is: 'prefix', field: VALUE, text: `${label}.`, caseless: false },
  ],
  mustNot: [],
  should: [],
  atLeast: 0,
})
