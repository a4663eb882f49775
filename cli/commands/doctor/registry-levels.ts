import type { RegistryRules } from '../../../connectors/registry/rules.ts'
import { subjectOf, TOPIC_RECORDS } from '../../../schemas/log/topic-records.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

/** What a start asks of every subject of the platform: a new schema reads what was written with the one before. */
const LEVEL = 'BACKWARD'
const REMEDY = `harrier doctor --repair sets ${LEVEL}`

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
    for (const topic of Object.keys(TOPIC_RECORDS)) {
      const subject = subjectOf(topic)
      const level = await rules.level(subject)
      if (level === null || level === LEVEL) continue
      if (repair) found.push(await repairLevel(rules, subject, level))
      else found.push(fail(`the compatibility level of ${subject} is ${level}: no process starts`, REMEDY))
    }
    return found.length > 0 ? found : [ok('every subject has the right compatibility level')]
  },
})

async function repairLevel(rules: RegistryRules, subject: string, was: string): Promise<Omit<Finding, 'check'>> {
  try {
    await rules.set(subject, LEVEL)
  } catch (error) {
    return fail((error as Error).message, `have its operator set the level of ${subject} to ${LEVEL}`)
  }
  return repairedLevel(subject, was)
}

/** A level that was wrong and is right again: somebody may still be there who changes it. */
export const repairedLevel = (subject: string, was: string): Omit<Finding, 'check'> =>
  warn(
    `the compatibility level of ${subject} was ${was}, and is ${LEVEL} again`,
    'find out who changed it (docs/runbooks/registry.md)',
  )
