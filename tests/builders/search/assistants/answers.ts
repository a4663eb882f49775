/** What a caller is told by tools of assistants, in the form in which a model of readers has it. */

import { setTimeout as sleep } from 'node:timers/promises'
import { byText } from '../../intelligence/reader-model.ts'
import { callTool } from './mcp.ts'

/** Tries of a tool while others have every place. */
const TRIES = 20
const BUSY_MS = 500
/** Items that have room in one answer. */
const FEW = 12

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, of which some fields are looked at
type Json = any

const plain = (text: string): string => text.replaceAll('[.]', '.')
const shown = ({ value, reputation, accuracy, tags }: Json) => ({ value: plain(value), reputation, accuracy, tags })

/** In the direction in which it was stated. */
const statedOf = (of: string, { id, direction, firstSeen, lastSeen, value, ...relation }: Json) => ({
  source: direction === 'outgoing' ? of : id,
  target: direction === 'outgoing' ? id : of,
  mode: relation.mode,
  relationships: relation.relationships,
  first: Date.parse(firstSeen),
  last: Date.parse(lastSeen),
  visibleBy: relation.visibleBy,
  value: value === null ? null : plain(value),
  reputation: relation.reputation,
  accuracy: relation.accuracy,
})

/** Answers of tools, all pages of each; null for what the caller may not know of. */
export function toolAnswers(url: string, headers: Record<string, string>) {
  async function tell(name: string, given: object): Promise<Json> {
    for (let tries = 1; ; tries++) {
      const { value, isError } = await callTool(url, name, given, headers)
      if (isError && value.error.code === 'not_found') return null
      if (!isError && !value.truncated) return value
      // What found no place among others is asked again.
      if (!isError || !['busy', 'rate_limited'].includes(value.error.code) || tries === TRIES)
        throw new Error(`${name} ${JSON.stringify(given)}: ${JSON.stringify(value)}`)
      await sleep(BUSY_MS)
    }
  }

  async function pages(name: string, given: object): Promise<Json[] | null> {
    const found: Json[] = []
    for (let page = 1; ; page++) {
      const told = await tell(name, { ...given, limit: FEW, page })
      if (told === null) return null
      found.push(...told.items)
      if (told.items.length < FEW) return told.total === found.length ? found : [`${told.total} items`]
    }
  }

  return {
    async lookup(values: readonly string[]) {
      const found: Json[] = []
      for (let i = 0; i < values.length; i += FEW)
        found.push(...(await tell('lookup', { values: values.slice(i, i + FEW) })).results)
      return found.map(({ asked, ...entity }) => {
        const told = shown(entity)
        return { ...told, value: told.value === plain(asked) ? told.value : `${told.value} for ${plain(asked)}` }
      })
    },
    async evidence(id: string, at: number) {
      const told = await tell('evidence', { id, at: String(at) })
      const claimOf = ({ reputation, weight, visibleBy }: Json) => ({ said: reputation, weight, visibleBy })
      return told && { basis: told.basis, reputation: told.reputation, claims: told.claims.map(claimOf).sort(byText) }
    },
    async relations(of: string) {
      const told = await pages('relations', { id: of })
      return told === null ? null : told.map((relation) => statedOf(of, relation)).sort(byText)
    },
    entities: async (query: string) => (await pages('search', { query }))!.map(shown).sort(byText),
  }
}
