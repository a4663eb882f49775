import { Webhook } from 'standardwebhooks'
import { utcDay } from '../../../../schemas/casework/alert.ts'
import { type Receiver, receiver } from '../../../builders/network/receiver.ts'
import type { Platform } from '../../../builders/platform/platform.ts'
import { FEW, type Fired, firedKey, MANY, type WatchedItem } from './fired.ts'

const CASEWORK = '/api/casework/v1'
const PAGE = 500
/** Of an inbox, in pages. */
const MOST_PAGES = 200

type Alert = {
  id: string
  '@timestamp': string
  watchlistID: string
  itemID: string
  entityID: string
  count: number
  withdrawnAt?: string
}

export type Watcher = {
  items: readonly WatchedItem[]
  /** Of the items, in their order. */
  ids: readonly string[]
  /** Everything in the inbox, and ids that are in it twice. */
  inbox(): Promise<{ fired: Fired; alerts: readonly Alert[]; twice: number }>
  /** Of these alerts those that never arrived; what arrived and is none of them, or not signed as it should be. */
  deliveryFaults(alerts: readonly Alert[]): { undelivered: number; unknown: number; forged: number }
  /** Alerts that arrived, each as often as it did. */
  deliveries(): number
  close(): Promise<void>
}

/**
 * A user with two watchlists, one of which a webhook is told of; its receiver refuses every fifth request.
 * @param as a user with a customer
 */
export async function startWatcher(ask: Platform['ask'], as: Record<string, string>): Promise<Watcher> {
  async function made(path: string, body: object) {
    const answer = await ask(path, body, as)
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const ids: string[] = []
  async function list(name: string, items: readonly WatchedItem[]): Promise<string> {
    const { id } = await made(`${CASEWORK}/watchlists`, { name })
    for (const { item } of items) ids.push((await made(`${CASEWORK}/watchlists/${id}/items`, item)).id)
    return id
  }
  const few = await list('few', FEW)
  await list('many', MANY)
  const target = await receiver((response, n) => response.writeHead(n % 5 === 0 ? 500 : 200).end())
  const destination = { name: 'ours', kind: 'webhook', url: target.url, watchlists: [few] }
  const { secret } = await made('/api/alerts/v1/destinations', destination)

  return {
    items: [...FEW, ...MANY],
    ids,
    async inbox() {
      const alerts = await everyAlert(ask, as)
      const fired: Fired = new Map()
      for (const { itemID, entityID, '@timestamp': at, count, withdrawnAt } of alerts)
        fired.set(firedKey(itemID, entityID, utcDay(Date.parse(at))), { count, withdrawn: withdrawnAt !== undefined })
      return { fired, alerts, twice: alerts.length - fired.size }
    },
    deliveryFaults(alerts) {
      const due = new Set(alerts.filter(({ watchlistID }) => watchlistID === few).map(({ id }) => id))
      const told = taken(target)
      return {
        undelivered: [...due].filter((id) => !told.some(({ headers }) => headers['webhook-id'] === id)).length,
        unknown: told.filter(({ headers }) => !due.has(String(headers['webhook-id']))).length,
        forged: told.filter((one) => !isSigned(one, secret)).length,
      }
    },
    deliveries: () => taken(target).length,
    close: () => target.close(),
  }
}

/** What was answered with success. */
const taken = ({ received }: Receiver): Receiver['received'] => received.filter((_, n) => (n + 1) % 5 !== 0)

/** Verified by the public library, and about the alert that its id names. */
function isSigned({ headers, body }: Receiver['received'][number], secret: string): boolean {
  try {
    const { data } = new Webhook(secret).verify(body, headers as Record<string, string>) as { data: { id: string } }
    return data.id === headers['webhook-id']
  } catch {
    return false
  }
}

async function everyAlert(ask: Platform['ask'], as: Record<string, string>): Promise<Alert[]> {
  const all: Alert[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const before = all.length === 0 ? '' : `&before=${all.at(-1)!.id}`
    const { status, body } = await ask(`${CASEWORK}/alerts?limit=${PAGE}${before}`, undefined, as)
    if (status !== 200) throw new Error(`the inbox answered ${status}: ${JSON.stringify(body)}`)
    all.push(...body.items)
    if (body.items.length < PAGE) return all
  }
  throw new Error(`the inbox has more than ${MOST_PAGES * PAGE} alerts`)
}
