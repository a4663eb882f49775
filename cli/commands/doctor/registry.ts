import avsc, { type Type } from 'avsc'
import { registryRules } from '../../../connectors/registry/rules.ts'
import { subjectOf, TOPIC_RECORDS } from '../../../schemas/log/topic-records.ts'
import { type Check, type Finding, fail, ok } from './finding.ts'

const MAX_VERSIONS = 1_000

/** Whether every registered version of every subject can be read with the schemas of this program. */
export const registryCheck = (open: () => Promise<{ url: string }>): Check => ({
  name: 'registry',
  todo: 'start the registry of SCHEMA_REGISTRY_URL, or the release that it knows',
  async run() {
    const { url } = await open()
    const { read: ask } = registryRules(url)
    const found: Omit<Finding, 'check'>[] = []
    let read = 0
    for (const [topic, reader] of Object.entries(TOPIC_RECORDS)) {
      const subject = subjectOf(topic)
      const versions = ((await ask(`/subjects/${subject}/versions`)) ?? []) as number[]
      for (const version of versions.slice(-MAX_VERSIONS)) {
        const { schema } = (await ask(`/subjects/${subject}/versions/${version}`)) as { schema: string }
        const why = unreadable(reader, schema)
        if (why === null) read++
        else
          found.push(
            fail(
              `version ${version} of ${subject} cannot be read: ${why}`,
              'a newer release may have written it: do not run this one beside it',
            ),
          )
      }
    }
    return [...found, ok(`${read} registered schemas can be read`)]
  },
})

/** Why records of `schema` cannot be read as `reader`; null when they can. */
export function unreadable(reader: Type, schema: string): string | null {
  try {
    reader.createResolver(avsc.Type.forSchema(JSON.parse(schema)))
    return null
  } catch (error) {
    return (error as Error).message
  }
}
