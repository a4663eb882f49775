import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { metricsText } from '../../../edge/listeners/metrics.ts'
import type { MetricDeclaration } from '../../../platform/metrics/declaration.ts'
import { METRICS } from '../../../platform/metrics/metrics.ts'

const page = readFileSync('docs/reference/metrics.md', 'utf8')
const declared = Object.entries<MetricDeclaration>(METRICS)
const words = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word!)

/** Rows of four cells: name, kind, labels, meaning. */
const every = [...page.matchAll(/^\| `(harrier_\w+)` \| (\w+) \|(.*?)\| (.+) \|$/gm)].map(
  ([, name, kind, labels, meaning]) => ({ name: name!, kind: kind!, labels: words(labels!), meaning: meaning! }),
)

const isOfEdge = ({ name }: { name: string }): boolean => name.startsWith('harrier_edge_')
const rows = every.filter((row) => !isOfEdge(row))

/** What an edge with one listener and one file serves. */
const edge = metricsText(
  {
    isStale: () => false,
    answer: (value) => ({ value, listed: false }),
    json: () => null,
    size: () => 1,
    sequence: () => 1,
    ageSeconds: () => 1,
  },
  [{ protocol: 'http', connections: 1 }],
  [{ path: 'list.txt', sequence: 1, failed: 0 }],
)

describe('the page of metrics', () => {
  test('has every declared metric once, with its kind and labels, and no other', () => {
    const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name)
    expect(rows.map(({ meaning: _, ...row }) => row).sort(byName)).toEqual(
      declared.map(([name, { kind, labels }]) => ({ name, kind, labels: [...labels] })).sort(byName),
    )
  })

  test('has every metric of an edge, in its order', () => {
    const served = [...edge.matchAll(/^# TYPE (\S+) (\w+)\n\1(?:\{(\w+)=.*\})? /gm)].map(([, name, kind, label]) => ({
      name,
      kind,
      labels: label === undefined ? [] : [label],
    }))
    expect(served.length).toBeGreaterThan(5)
    expect(every.filter(isOfEdge).map(({ meaning: _, ...row }) => row)).toEqual(served)
  })

  test('has a meaning for each, which is not that of another', () => {
    expect(rows.filter(({ meaning }) => meaning.split(' ').length < 3)).toEqual([])
    expect(new Set(rows.map(({ meaning }) => meaning)).size).toBe(rows.length)
  })

  test('has the outcomes and directions that the declarations name', () => {
    for (const { name, meaning } of rows) {
      const named = new Set(words(meaning))
      const { help } = METRICS[name as keyof typeof METRICS]
      for (const word of named) expect([name, help.includes(word)]).toEqual([name, true])
    }
  })

  test('has every former name beside its new one, and no other', () => {
    const shown = [...page.matchAll(/^\| `(\w+)` \| `(\w+)` \|$/gm)].map(([, formerly, name]) => [name, formerly])
    expect(shown).toEqual(
      declared.flatMap(([name, { formerly }]) => (formerly === undefined ? [] : [[name, formerly]])),
    )
  })
})
