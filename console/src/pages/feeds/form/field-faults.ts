import { type FaultsOf, faultsOf as faultsIn } from '../../../parts/form/field-faults.ts'
import { SELECTOR_PARAMS } from '../../../parts/form/selector/selector-faults.ts'

/** Which parameter of the API a field of the form of a feed is. */
const PARAMS = {
  ...SELECTOR_PARAMS,
  name: 'name',
  description: 'description',
  cap: 'cap',
  loss: 'guard.loss',
  gain: 'guard.gain',
  from: 'guard.from',
  groups: 'groups',
  open: 'open',
} as const

export type Faults = FaultsOf<typeof PARAMS>

/** The field that a refusal is about, with the reason; empty for any other error. */
export const faultsOf = (error: unknown): Faults => faultsIn(PARAMS, error)
