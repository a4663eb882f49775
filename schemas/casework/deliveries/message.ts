/** What a delivery says, whatever kind of destination it goes to (decisions 13.2, 13.3). */

/** An alert as its user reads it. Times in ISO 8601. */
export type AlertItem = {
  id: string
  '@timestamp': string
  watchlistID: string
  itemID: string
  entityID: string
  entityType: string
  entityValue: string
  reputation: number
  matchedKind: string
  matchedOn: string
  count: number
  lastAt: string
  withdrawnAt?: string
}

/** What is kept of an alert, as far as its item says it. Times in unix milliseconds. */
type KeptAlert = {
  id: string
  createdAt: number
  watchlistId: string
  itemId: string
  entityId: string
  entityType: string
  entityValue: string
  reputation: number
  matchedKind: string
  matchedOn: string
  count: number
  lastAt: number
  withdrawnAt: number | null
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** An alert as the inbox and deliveries say it. */
export const alertItem = <Kind extends string>(
  alert: KeptAlert & { matchedKind: Kind },
): AlertItem & { matchedKind: Kind } => ({
  id: alert.id,
  '@timestamp': iso(alert.createdAt),
  watchlistID: alert.watchlistId,
  itemID: alert.itemId,
  entityID: alert.entityId,
  entityType: alert.entityType,
  entityValue: alert.entityValue,
  reputation: alert.reputation,
  matchedKind: alert.matchedKind,
  matchedOn: alert.matchedOn,
  count: alert.count,
  lastAt: iso(alert.lastAt),
  ...(alert.withdrawnAt === null ? {} : { withdrawnAt: iso(alert.withdrawnAt) }),
})

/** `id` is the same at every try; `at`: the moment of what it tells of, in unix milliseconds. */
type About = { id: string; at: number }

export type Message = About &
  (
    | { type: 'alert.created'; alert: AlertItem }
    /** `count`: all alerts of the digest; `alerts`: the first of them. */
    | { type: 'alerts.digest'; count: number; alerts: readonly AlertItem[] }
    | { type: 'test'; destinationID: string; name: string }
  )

/** Most alerts that a digest carries in full. */
export const DIGEST_ALERTS = 100

/** Where people read on: the address of the console, with a slash at its end. */
export type Links = { console: string }

/** An id has nothing that an address would have to escape. */
export const entityLink = ({ console }: Links, { entityID }: AlertItem): string => `${console}entity/${entityID}`

/** The page of all alerts of a user. */
export const inboxLink = ({ console }: Links): string => `${console}alerts`
