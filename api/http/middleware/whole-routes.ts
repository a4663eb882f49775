/** Routes that reach further than a key which was narrowed (decisions 16.1; ADR 251). */

/** `of` says which keys are refused: those that were narrowed to groups, or every narrowed one. `what`: as the refusal says it. */
export type Whole = { what: string; of: 'groups' | 'any bound' }

const groups = (what: string): Whole => ({ what, of: 'groups' })
/** For what ends in a session, which has no bounds at all. */
const anyBound = (what: string): Whole => ({ what, of: 'any bound' })

/** Of a route that no list names: whoever adds one that changes something says first how far it reaches. */
export const UNNAMED: Whole = groups('use this route')

/** An account, and who may come in as it: whatever groups it is in, all of it changes. */
const ACCOUNT: Readonly<Record<string, Whole>> = {
  'delete /auth/v2/user': groups('delete the account of its user'),
  'post /auth/v2/email': groups('change the addresses of its user'),
  'put /auth/v2/email/preferred': groups('change the addresses of its user'),
  'delete /auth/v2/email/{id}': groups('change the addresses of its user'),
  'put /auth/v2/session/extend': groups('change the sessions of its user'),
  'delete /auth/v2/session': groups('change the sessions of its user'),
  'delete /auth/v2/session/{id}': groups('change the sessions of its user'),
  'post /auth/v2/oidc/link': groups('change how its user signs in'),
  'delete /auth/v2/oidc/link': groups('change how its user signs in'),
  'post /auth/v2/verify': groups('request a check of the identity of its user'),
}

/** A customer is all of its members and their things, also those of groups that the key does not have. */
const CUSTOMER: Readonly<Record<string, Whole>> = {
  'post /api/billing/v1/customer': groups('create a customer'),
  'delete /api/billing/v1/customer': groups('delete a customer'),
  'post /api/billing/v1/customer/accept': groups('accept a membership'),
  'delete /api/billing/v1/customer/leave': groups('end a membership'),
  'post /api/billing/v1/customer/member': groups('change the members of a customer'),
  'put /api/billing/v1/customer/member': groups('change the members of a customer'),
  'delete /api/billing/v1/customer/member/{userID}': groups('change the members of a customer'),
  'delete /api/billing/v1/customer/invitation/{id}': groups('change the members of a customer'),
  'post /api/billing/v1/customer/transfer-ownership': groups('change the members of a customer'),
  'post /api/billing/v1/stripe/upgrade': groups('change a subscription'),
}

/** What a person has read counts for everything that it is told, whatever group that is for. */
const READ_STATE: Readonly<Record<string, Whole>> = {
  'get /api/casework/v1/alerts/read-state': groups('use the read state of its user'),
  'put /api/casework/v1/alerts/read-state': groups('use the read state of its user'),
  'post /api/casework/v1/alerts/read': groups('use the read state of its user'),
}

/** Other users and customers. Keys that are made for a user are bounded by their maker, and so not here. */
const ADMINISTRATION: Readonly<Record<string, Whole>> = {
  'post /auth/v2/admin/user': groups('create a user'),
  'post /auth/v2/partners/user': groups('create a user'),
  'put /auth/v2/admin/user/{id}': groups('change a user'),
  'delete /auth/v2/admin/user/{id}': groups('delete a user'),
  'put /auth/v2/admin/user/{id}/disable': groups('change a user'),
  'put /auth/v2/admin/user/{id}/enable': groups('change a user'),
  'post /auth/v2/admin/user/{id}/roles': groups('change a user'),
  'delete /auth/v2/admin/user/{id}/roles/{role}': groups('change a user'),
  'put /auth/v2/admin/user/{id}/verify': groups('decide about an identity'),
  'put /auth/v2/admin/user/{id}/unverify': groups('decide about an identity'),
  'put /auth/v2/admin/user/{id}/verification/reset': groups('decide about an identity'),
  'put /auth/v2/admin/user/{id}/verification/revoke': groups('decide about an identity'),
  'post /auth/v2/admin/user/{id}/email': anyBound('give a user an address'),
  'put /auth/v2/admin/email/{id}/verify': anyBound('give a user an address'),
  'put /auth/v2/admin/email/preferred': groups('change the addresses of a user'),
  'delete /auth/v2/admin/email/{id}': groups('change the addresses of a user'),
  'post /auth/v2/admin/user/{id}/session': anyBound('open a session'),
  'put /auth/v2/admin/session/{id}/verify': anyBound('verify a session'),
  'delete /auth/v2/admin/session/{id}': groups('end a session'),
  'delete /auth/v2/admin/keypair/{id}': groups('delete a key pair of another user'),
  'delete /api/billing/v1/admin/customer/{id}': groups('delete a customer'),
  'post /api/billing/v1/admin/customer/{id}/member': groups('change the members of a customer'),
  'delete /api/billing/v1/admin/customer/{id}/member/{userID}': groups('change the members of a customer'),
  'put /api/billing/v1/admin/customer/{id}/subscription': groups('change a subscription'),
  'delete /api/billing/v1/admin/customer/{id}/subscription': groups('change a subscription'),
  'put /api/billing/v1/admin/tiers/{id}/default': groups('change the tier of new customers'),
}

/** The platform as a whole: what changes there changes for every group. */
const OPERATION: Readonly<Record<string, Whole>> = {
  'post /api/admin/v1/breakers/{group}/close': groups('operate the platform'),
  'post /api/admin/v1/dead-letters/drop': groups('operate the platform'),
  'post /api/admin/v1/dead-letters/replay': groups('operate the platform'),
  'post /api/admin/v1/demo': groups('operate the platform'),
  'post /api/admin/v1/retractions': groups('retract what a feed reported'),
  'post /api/billing/v1/admin/reconcile': groups('operate the platform'),
  'post /api/ingest/v1/admin/scans/{id}/retry': groups('operate the platform'),
  'delete /api/compute/v1/admin/instances/{id}': groups('change an instance of another customer'),
  'post /api/compute/v1/admin/instances/{id}/reset': groups('change an instance of another customer'),
  'post /api/compute/v1/admin/instances/{id}/restart': groups('change an instance of another customer'),
  'post /api/compute/v1/admin/instances/{id}/start': groups('change an instance of another customer'),
  'post /api/compute/v1/admin/instances/{id}/stop': groups('change an instance of another customer'),
}

/** By method and path. */
export const WHOLE_ROUTES: Readonly<Record<string, Whole>> = {
  ...ACCOUNT,
  ...CUSTOMER,
  ...READ_STATE,
  ...ADMINISTRATION,
  ...OPERATION,
}
