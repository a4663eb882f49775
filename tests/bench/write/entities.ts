/**
 * Values a second through the rules that every observation passes. Run by hand: npx node tests/bench/write/entities.ts
 * Each figure is the best of five rounds over distinct values, so that neither caches nor the first compilation count.
 */
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { normalise } from '../../../schemas/intelligence/entities/normalise.ts'
import { detect } from '../../../schemas/intelligence/ingest/detect.ts'
import { searchForms } from '../../../schemas/intelligence/ingest/search-forms.ts'
import { terms } from '../../../schemas/intelligence/state/terms.ts'
import { expanded } from '../../builders/intelligence/submission.ts'

const COUNT = 100_000
const ROUNDS = 5

const values = (make: (i: number) => string): string[] => Array.from({ length: COUNT }, (_, i) => make(i))

const ips = values((i) => `${(i % 100) + 11}.${(i >> 8) & 255}.${i & 255}.${i % 251}`)
const long = values((i) => `2001:db8:${(i >> 8).toString(16)}::${(i & 255).toString(16)}:1`)
const domains = values((i) => `host-${i}.example.com`)
const urls = values((i) => `http://host-${i}.example.com/path/${i}?q=${i}`)
const sha256 = values((i) => i.toString(16).padStart(64, 'a'))
const texts = values((i) => `Threat number ${i} of the Day`)

const runs: readonly [string, readonly string[], (value: string) => unknown][] = [
  ['normalise ip (IPv4)', ips, (value) => normalise('ip', value)],
  ['normalise ip (IPv6)', long, (value) => normalise('ip', value)],
  ['normalise domain', domains, (value) => normalise('domain', value)],
  ['normalise url', urls, (value) => normalise('url', value)],
  ['normalise sha256', sha256, (value) => normalise('sha256', value)],
  ['normalise text', texts, (value) => normalise('text', value)],
  ['entityId', domains, (value) => entityId('domain', value)],
  ['detect ip', ips, detect],
  ['detect hostname', domains, detect],
  ['detect url', urls, detect],
  [
    'expand',
    domains,
    (value) => expanded({ type: 'domain', attributes: { domain: value }, reputation: -3, tags: ['c2'] }),
  ],
  ['terms', texts, (value) => terms('text', value, {})],
  ['searchForms', domains, searchForms],
]

let kept = 0
for (const [name, input, run] of runs) {
  let best = 0
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    for (const value of input) if (run(value) !== undefined) kept++
    best = Math.max(best, (COUNT / (performance.now() - began)) * 1000)
  }
  console.log(`${name.padEnd(22)} ${Math.round(best).toLocaleString('en').padStart(12)} /s`)
}
if (kept !== runs.length * COUNT * ROUNDS) throw new Error('a value was lost')
