/** Who a caller is now, for an answer that comes long after its request: rights hold at the moment of the answer. */

import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { ReadCredentials } from '../route.ts'

export type CallerAgain = {
  /** For the declaration of the route. */
  credentials: ReadCredentials
  /**
   * The caller of a request of that route, looked up anew by what the request came with; null: it came with nothing.
   * Throws what the credentials throw: 401 for those that ended meanwhile, 403 for an address outside of its networks.
   */
  now(user: Identity | null): Promise<Identity | null>
}

/** Remembers how each caller was found, for as long as its request lasts. */
export function callerAgain(read: ReadCredentials): CallerAgain {
  const lookUps = new WeakMap<Identity, () => Promise<Identity | null>>()
  return {
    async credentials(given, usual) {
      const lookUp = () => read(given, usual)
      const found = await lookUp()
      if (found === null) return null
      // The administrator of the configuration is one object for all its requests.
      const user = { ...found }
      lookUps.set(user, lookUp)
      return user
    },
    now: async (user) => (user === null ? null : lookUps.get(user)!()),
  }
}
