import type { CustomerOffboarding, UserOffboarding } from './offboarding/port.ts'

type Ends = UserOffboarding & CustomerOffboarding

/**
 * The same ends, after each of which cached credentials are forgotten, failed ones too: a user that is gone, and the group
 * of a customer that is gone, count at once (decisions 2.3).
 */
export const forgettingOffboarding = (ends: Ends, forget: () => void): Ends => ({
  deleteUser: (id, cause) => ends.deleteUser(id, cause).finally(forget),
  end: (id, ending) => ends.end(id, ending).finally(forget),
})
