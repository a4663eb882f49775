/** The same port, which also invalidates cached credentials on every change: a membership is a group to read. */

import type { Team } from './port.ts'

/** `change` runs a write and has what was known before its end forgotten, failed writes too. */
export function forgettingTeam(team: Team, change: <T>(write: () => Promise<T>) => Promise<T>): Team {
  return {
    ...team,
    createCustomer: (customer) => change(() => team.createCustomer(customer)),
    change: (request) => change(() => team.change(request)),
    appoint: (appointment) => change(() => team.appoint(appointment)),
    dismiss: (customerId, userId) => change(() => team.dismiss(customerId, userId)),
    accept: (userId, customerId, now) => change(() => team.accept(userId, customerId, now)),
    decline: (userId, customerId) => change(() => team.decline(userId, customerId)),
    takeInvitation: (taken) => change(() => team.takeInvitation(taken)),
  }
}
