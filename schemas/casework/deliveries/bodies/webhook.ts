/** The JSON that a webhook gets: `{type, timestamp, data}` (decisions 13.3). */

import { type AlertItem, DIGEST_ALERTS, entityLink, inboxLink, type Links, type Message } from '../message.ts'

/** As for every webhook of the platform. */
export const MAX_BODY_BYTES = 65_536

/** Longest value of an entity, in characters; its id says which it is. */
const MAX_VALUE = 2_048
/** Of a type and of a kind of item. */
const MAX_WORD = 64

/** Room for everything that stands around the alerts of a digest. */
const FRAME_BYTES = 1_024

/** At most 64 KiB. */
export function webhookBody(message: Message, links: Links): Buffer {
  const { type, at } = message
  return Buffer.from(JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: dataOf(message, links) }))
}

function dataOf(message: Message, links: Links) {
  switch (message.type) {
    case 'alert.created':
      return shown(message.alert, links)
    case 'alerts.digest': {
      const alerts = fitting(message.alerts.slice(0, DIGEST_ALERTS), links)
      return { count: message.count, alerts, more: message.count - alerts.length, inbox: inboxLink(links) }
    }
    case 'test':
      return { destinationID: message.destinationID, name: cut(message.name, MAX_VALUE) }
  }
}

const shown = (alert: AlertItem, links: Links) => ({
  ...alert,
  entityType: cut(alert.entityType, MAX_WORD),
  entityValue: cut(alert.entityValue, MAX_VALUE),
  matchedKind: cut(alert.matchedKind, MAX_WORD),
  matchedOn: cut(alert.matchedOn, MAX_VALUE),
  link: entityLink(links, alert),
})

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}\u2026`

/** The first of them, as many as the body has room for. */
function fitting(alerts: readonly AlertItem[], links: Links) {
  const all: ReturnType<typeof shown>[] = []
  let left = MAX_BODY_BYTES - FRAME_BYTES
  for (const alert of alerts) {
    const one = shown(alert, links)
    left -= Buffer.byteLength(JSON.stringify(one)) + 1
    if (left < 0) break
    all.push(one)
  }
  return all
}
