import avsc, { type Type } from 'avsc'
import { type RegistryRules, registryRules } from '../../../connectors/registry/compatibility-rules.ts'
import { subjects } from '../../../schemas/log/records.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

/** The compatibility level that a start requires of every subject: a new schema reads records of the previous one. */
const LEVEL = 'BACKWARD'
const REMEDY = `run: harrier doctor --repair (sets ${LEVEL})`

/**
 * Whether the subjects of the platform have the compatibility level without which no process starts. A subject without
 * a level of its own is given one when it is registered.
 * @param repair sets the level where it is wrong
 */
export const registryLevelsCheck = (rules: RegistryRules, repair: boolean): Check => ({
  name: 'registry',
  todo: 'start the registry of SCHEMA_REGISTRY_URL',
  async run() {
    const found: Omit<Finding, 'check'>[] = []
    for (const { subject } of subjects()) {
      const level = await rules.level(subject)
      if (level === null || level === LEVEL) continue
      if (repair) found.push(await repairLevel(rules, subject, level))
      else found.push(fail(`the compatibility level of ${subject} is ${level}; processes refuse to start`, REMEDY))
    }
    return found.length > 0 ? found : [ok('every subject has the required compatibility level')]
  },
})

async function repairLevel(rules: RegistryRules, subject: string, was: string): Promise<Omit<Finding, 'check'>> {
  try {
    await rules.set(subject, LEVEL)
  } catch (error) {
    return fail((error as Error).message, `ask the operator of the registry to set the level of ${subject} to ${LEVEL}`)
  }
  return repairedLevel(subject, was)
}

/** A repaired level is still a warning, because the cause of the change is unknown. */
export const repairedLevel = (subject: string, was: string): Omit<Finding, 'check'> =>
  warn(
    `the compatibility level of ${subject} was ${was}; it is now ${LEVEL}`,
    'find out what changed the level (/help/operate/runbooks/registry/)',
  )

const MAX_VERSIONS = 1_000

/** Checks that this release can read records of every registered schema version. */
export const registryCheck = (open: () => Promise<{ url: string }>): Check => ({
  name: 'registry',
  todo: 'start the registry of SCHEMA_REGISTRY_URL, or use the release that registered its schemas',
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
