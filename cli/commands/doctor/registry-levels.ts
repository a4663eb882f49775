import type { RegistryRules } from '../../../connectors/registry/rules.ts'
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
    'find out what changed the level (docs/runbooks/registry.md)',
  )
