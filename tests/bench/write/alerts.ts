/**
 * What a change costs the job that fires alerts: looking at it with no item, and with 10,000 items of a mix that 1,000
 * users of 300 customers have. The baseline is what the same observation costs the observation job, without any store;
 * reading the change is a cost of every job that follows them.
 * Run: npm run bench -- alerts [observations]
 */
import { alertFold } from '../../../pipelines/processors/casework/alert-fold.ts'
import { lookAt } from '../../../pipelines/processors/casework/look-at.ts'
import { customerGroup } from '../../../schemas/accounts/accounts.ts'
import type { Content } from '../../../schemas/casework/casework.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import { type GivenItem, watchedOf } from '../../builders/accounts/casework/watched.ts'
import { NOW, observation } from '../../builders/intelligence/observation.ts'
import { mixedSelector, octets, pick } from '../../builders/intelligence/selectors/mixed.ts'
import { changesOf, entityOf } from '../parts/records/changes.ts'

const OBSERVATIONS = Number(process.argv[2] ?? 100_000)
const ITEMS = 10_000
const [USERS, CUSTOMERS] = [1_000, 300]

/** Domains and addresses of a feed, each with two tags; half of them are said again, by another source. */
const observations = Array.from({ length: OBSERVATIONS }, (_, n): Observation => {
  const again = n % 2 === 1
  const { type, value } = entityOf(n >> 1)
  const tags = ['malware', `family-${n % 5_000}`]
  return observation({ type, value, tags, source: again ? 's2' : 's1', observedAt: NOW + n })
})

/** Most items are one's own: addresses, names, networks, entities under work; some are tags and whole kinds. */
const KINDS: readonly (readonly [share: number, of: (n: number) => Content])[] = [
  [20, (n) => ({ kind: 'value', value: `host${n}.team-${n % 700}.example` })],
  [10, (n) => ({ kind: 'value', value: entityOf(n * 3).value })],
  [10, (n) => ({ kind: 'entity', value: entityId('ip', `${octets(n)}.9`) })],
  [20, (n) => ({ kind: 'suffix', value: `team-${n}.example` })],
  [20, (n) => ({ kind: 'cidr', value: `${octets(n)}.0/24`, max_reputation: -1 })],
  [14, (n) => ({ kind: 'tag', value: pick([`family-${n}`, `actor-${n % 900}`], n), max_reputation: -2 })],
  [1, (n) => ({ kind: 'type', value: pick(['sha256', 'email-address', 'cve'], n) })],
  [5, (n) => ({ kind: 'selector', value: mixedSelector(n) })],
]
const slots = KINDS.flatMap(([share, of]) => Array.from({ length: share }, () => of))

const itemsOf = (count: number): GivenItem[] =>
  Array.from({ length: count }, (_, n) => {
    const user = n % USERS
    const groups = [customerGroup(`${user % CUSTOMERS}`), ...(user % 7 === 0 ? [`sector-${user % 5}`] : [])]
    return { watch: slots[(n * 37) % slots.length]!(n), groups }
  })

const { batches, measure } = changesOf(observations)
const changes = batches.flat().map((change) => ({ change, time: NOW }))
for (const count of [0, 1, 1_000, ITEMS]) {
  const watched = watchedOf(itemsOf(count))
  let steps = 0
  measure(`looking at it with ${count} items`, () => {
    steps = 0
    const fold = alertFold()
    // With no item nothing is read, nor looked at.
    if (watched.index.size() === 0) return
    for (const one of changes)
      lookAt(
        one,
        watched,
        BUILT_IN,
        (step) => {
          steps++
          fold.add(step)
        },
        () => undefined,
      )
  })
  console.log(`  ${(steps / OBSERVATIONS).toFixed(4)} steps an observation, ${watched.readers.size()} classes of users`)
}
