/** An alert in words, for chat and mail: every value of others is defanged, and nothing is long. */

import { scoreLabel } from '../../../intelligence/entities/labels.ts'
import { defanged } from '../defang.ts'
import type { AlertItem, Message } from '../message.ts'

const MAX_VALUE = 120
const MAX_MATCH = 80
const MAX_NAME = 200
/** Of a type and of a kind of item: ours, and short. */
const MAX_WORD = 64

/** Alerts of a digest that a person is told in words; the rest is counted. */
const TOLD = 20

/** `ip 203[.]0[.]113[.]7` */
const nameOf = ({ entityType, entityValue }: AlertItem): string =>
  `${defanged(entityType, MAX_WORD)} ${defanged(entityValue, MAX_VALUE)}`

/** `Bad (-2)`; a 0 has no number: an alert does not know whether anybody claims it. */
const scoreOf = ({ reputation }: AlertItem): string =>
  reputation === 0 ? scoreLabel(reputation) : `${scoreLabel(reputation)} (${reputation})`

const matchOf = ({ matchedKind, matchedOn }: AlertItem): string =>
  `${defanged(matchedKind, MAX_WORD)} ${defanged(matchedOn, MAX_MATCH)}`

export type Words = {
  title: string
  /** Labels are ours; values are of others. */
  facts: { label: string; value: string }[]
}

/** What a message says, without its links. */
export function wordsOf(message: Message): Words {
  switch (message.type) {
    case 'alert.created':
      return { title: `Harrier alert: ${nameOf(message.alert)}`, facts: factsOf(message.alert) }
    case 'alerts.digest': {
      const told = message.alerts.slice(0, TOLD)
      const facts = told.map((alert) => ({ label: nameOf(alert), value: `${scoreOf(alert)}, by ${matchOf(alert)}` }))
      const more = message.count - told.length
      const rest = more > 0 ? [{ label: 'More', value: String(more) }] : []
      return {
        title: `Harrier: ${message.count} ${message.count === 1 ? 'alert' : 'alerts'}`,
        facts: [...facts, ...rest],
      }
    }
    case 'test':
      return {
        title: 'Harrier: test of a destination',
        facts: [{ label: 'Destination', value: defanged(message.name, MAX_NAME) }],
      }
  }
}

function factsOf(alert: AlertItem): Words['facts'] {
  const { count, lastAt, withdrawnAt } = alert
  return [
    { label: 'Reputation', value: scoreOf(alert) },
    { label: 'Matched', value: matchOf(alert) },
    { label: 'Times today', value: String(count) },
    { label: 'Last', value: lastAt },
    ...(withdrawnAt === undefined ? [] : [{ label: 'Withdrawn', value: withdrawnAt }]),
  ]
}
