import type { Shown } from './shown.ts'

/** How each node but the first is related to the one that it hangs on: `part of evil.example.org (delivers)`. */
export function ways({ nodes, relations }: Shown): Map<string, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const told = new Map<string, string>()
  for (const { source, target, mode, relationships } of relations) {
    const named = relationships.length === 0 ? '' : ` (${relationships.join(', ')})`
    const of = (id: string, other: string, words: string) => {
      const node = byId.get(id)
      if (node?.parent !== other || told.has(id)) return
      const value = byId.get(other)!.value
      told.set(id, `${words} ${value.length > 60 ? `${value.slice(0, 59)}…` : value}${named}`)
    }
    of(target, source, mode === 'aggregation' ? 'part of' : 'related to')
    of(source, target, mode === 'aggregation' ? 'consists of' : 'related to')
  }
  return told
}
