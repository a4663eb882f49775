/** The list is older than it may be, or there is none yet: nothing is said of any value (decisions 19.4). */
export class Stale extends Error {
  override readonly name = 'Stale'
  readonly code = 'stale'
  readonly status = 503
}

export const STALE = new Stale('the list is too old, or is not there yet')
