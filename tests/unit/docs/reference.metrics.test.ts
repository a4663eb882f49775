import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { MetricDeclaration } from '../../../platform/metrics/declaration.ts'
import { METRICS } from '../../../platform/metrics/metrics.ts'

const page = readFileSync('docs/reference/metrics.md', 'utf8')
const declared = Object.entries<MetricDeclaration>(METRICS)
const words = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word!)

/** Rows of four cells: name, kind, labels, meaning. */
const rows = [...page.matchAll(/^\| `(harrier_\w+)` \| (\w+) \|(.*?)\| (.+) \|$/gm)].map(
  ([, name, kind, labels, meaning]) => ({ name: name!, kind: kind!, labels: words(labels!), meaning: meaning! }),
)

describe('the page of metrics', () => {
  test('has every declared metric once, with its kind and labels, and no other', () => {
    const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name)
    expect(rows.map(({ meaning: _, ...row }) => row).sort(byName)).toEqual(
      declared.map(([name, { kind, labels }]) => ({ name, kind, labels: [...labels] })).sort(byName),
    )
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
