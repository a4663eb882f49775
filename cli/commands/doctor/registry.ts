import avsc, { type Type } from 'avsc'
import { registryRules } from '../../../connectors/registry/rules.ts'
import { subjects } from '../../../schemas/log/records.ts'
import { type Check, type Finding, fail, ok } from './finding.ts'

const MAX_VERSIONS = 1_000

/** Checks that this release can read records of every registered schema version. */
export const registryCheck = (open: () => Promise<{ url: string }>): Check => ({
  name: 'registry',
  todo: 'start the registry of SCHEMA_REGISTRY_URL, or use the release whose schemas it has',
  async run() {
    const { url } = await open()
    const { read: ask } = registryRules(url)
    const found: Omit<Finding, 'check'>[] = []
    let read = 0
    for (const { subject, type: reader } of subjects()) {
      const versions = ((await ask(`/subjects/${subject}/versions`)) ?? []) as number[]
      for (const version of versions.slice(-MAX_VERSIONS)) {
        const { schema } = (await ask(`/subjects/${subject}/versions/${version}`)) as { schema: string }
        const why = unreadable(reader, schema)
        if (why === null) read++
        else
          found.push(
            fail(
              `version ${version} of ${subject} is not readable by this release: ${why}`,
              'a newer release may have registered it; do not run this release at the same time',
            ),
          )
      }
    }
    return [...found, ok(`all ${read} registered schemas are readable`)]
  },
})

/** Why records of `schema` cannot be read as `reader`; null if they can. */
export function unreadable(reader: Type, schema: string): string | null {
  try {
    reader.createResolver(avsc.Type.forSchema(JSON.parse(schema)))
    return null
  } catch (error) {
    return (error as Error).message
  }
}
