/**
 * What a look at one view costs: with one selector, with many through their index, and with many in a plain loop, which is
 * the baseline; then what it costs to add and to remove one among them.
 * Run: npm run bench -- selectors [selectors] [views]
 */
import { type CompiledSelector, compileSelector } from '../../../schemas/intelligence/selectors/compile.ts'
import { selectorIndex } from '../../../schemas/intelligence/selectors/index/selector-index.ts'
import type { SelectorView } from '../../../schemas/intelligence/selectors/selector.ts'
import { NOW } from '../../builders/intelligence/observation.ts'
import { hash, mixedSelector, octets, pick } from '../../builders/intelligence/selectors/mixed.ts'
import { selectorOf, view } from '../../builders/intelligence/selectors/view.ts'

const SELECTORS = Number(process.argv[2] ?? 1_000)
const VIEWS = Number(process.argv[3] ?? 20_000)
const ROUNDS = 15

const compile = (n: number): CompiledSelector => compileSelector(selectorOf(mixedSelector(n)))
const typical = compileSelector(
  selectorOf({
    types: ['ip', 'cidr'],
    reputation: { lte: -1 },
    tags: { any: ['family-1', 'family-2'] },
    seenWithin: '30d',
  }),
)
const selectors = new Map(
  Array.from({ length: SELECTORS }, (_, n): [string, CompiledSelector] => [`feed-${n}`, compile(n)]),
)

const VALUES: readonly ((n: number) => Partial<SelectorView>)[] = [
  (n) => ({
    type: 'ip',
    value: `${octets(n)}.${hash(n + 3) % 256}`,
    asn: hash(n) % 60_000,
    country: pick(['', 'Peru', 'Spain', 'Japan', 'Oman'], n),
  }),
  (n) => ({ type: 'domain', value: `h${n}.team-${hash(n) % 50_000}.example` }),
  (n) => ({ type: 'url', value: `https://h${n}.example.net/a/b?c=${n}` }),
  (n) => ({ type: 'md5', value: hash(n).toString(16).padStart(32, '0') }),
]
const views = Array.from({ length: VIEWS }, (_, n) =>
  view({
    ...VALUES[n % VALUES.length]!(n),
    reputation: pick([-3, -2, -1, -1, 0, 0, 0, 1], n + 5),
    accuracy: hash(n + 9) % 3,
    tags: [`family-${hash(n) % 5000}`, `campaign-${n % 1000}`],
    lastSeen: NOW - (hash(n) % 90) * 86_400_000,
  }),
)

/** Nanoseconds of each of `count` calls: the least of some rounds, after one that is not counted. */
function nanoseconds(count: number, run: () => number): { took: number; held: number } {
  let took = Infinity
  let held = 0
  for (let round = -1; round < ROUNDS; round++) {
    const from = performance.now()
    held = run()
    if (round >= 0) took = Math.min(took, ((performance.now() - from) * 1e6) / count)
  }
  return { took, held }
}

const print = (name: string, took: number, note = ''): void =>
  console.log(`${name.padEnd(34)} ${took.toFixed(0).padStart(9)} ns  ${note}`)

const index = selectorIndex(selectors)
const all = [...selectors.values()]
const one = nanoseconds(VIEWS, () => views.filter((each) => typical.holds(each, NOW)).length)
let looked = 0
const indexed = nanoseconds(VIEWS, () => {
  let held = 0
  looked = 0
  for (const each of views)
    for (const id of index.candidates(each)) {
      looked++
      if (selectors.get(id)!.holds(each, NOW)) held++
    }
  return held
})
const few = views.slice(0, Math.min(VIEWS, 2_000))
const looped = nanoseconds(few.length, () => {
  let held = 0
  for (const each of few) for (const selector of all) if (selector.holds(each, NOW)) held++
  return held
})
const again = Array.from({ length: 2_000 }, (_, n) => compile(n + SELECTORS))
const changed = nanoseconds(again.length, () => {
  for (const [n, selector] of again.entries()) index.add(`new-${n}`, selector)
  for (const n of again.keys()) index.remove(`new-${n}`)
  return 0
})

print('a look at 1 selector', one.took, `${one.held} of ${VIEWS} views hold`)
print(
  `at ${SELECTORS} through the index`,
  indexed.took,
  `${(looked / VIEWS).toFixed(2)} candidates, ${(indexed.held / VIEWS).toFixed(2)} hold for a view`,
)
print(`at ${SELECTORS} in a plain loop`, looped.took, 'the baseline')
print('adding and removing one', changed.took)
console.log(
  `index / an average look of the loop ${((indexed.took * SELECTORS) / looped.took).toFixed(1)}, loop / index ${(looped.took / indexed.took).toFixed(0)}`,
)
