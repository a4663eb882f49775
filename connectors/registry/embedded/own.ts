import type { Type } from 'avsc'
import type { Level } from './compatibility.ts'
import { RegistryError, type SchemaTable } from './schemas.ts'

/** Subjects that belong to the platform, each with the schema of this program. */
export type OwnSchemas = ReadonlyMap<string, Type>

/** An own subject whose level was not the one that the log needs. */
export type RepairedLevel = { subject: string; was: Level }

/** What records of the log rely on: a new schema reads what was written with the one before. */
export const OWN_LEVEL: Level = 'BACKWARD'

/**
 * Gives every own subject its level, also where another one was written, and registers its schema.
 * @throws RegistryError when the schema does not fit the registered one
 */
export async function claimOwn(table: SchemaTable, own: OwnSchemas): Promise<RepairedLevel[]> {
  const mended: RepairedLevel[] = []
  for (const [subject, type] of own) {
    const was = table.ownLevel(subject)
    if (was !== OWN_LEVEL) await table.setLevel(subject, OWN_LEVEL)
    if (was !== undefined && was !== OWN_LEVEL) mended.push({ subject, was })
    await table.register(subject, schemaText(type))
  }
  return mended
}

/** @throws RegistryError unless the subject is not the platform's, or keeps its level. */
export function refuseOwnLevel(own: OwnSchemas, subject: string, level: Level): void {
  if (own.has(subject) && level !== OWN_LEVEL)
    throw new RegistryError(40301, `${subject} belongs to the platform; its compatibility level must stay ${OWN_LEVEL}`)
}

/** @throws RegistryError unless the subject is not the platform's, or has the schema already. */
export function refuseOwnVersion(table: SchemaTable, own: OwnSchemas, subject: string, text: string): void {
  if (own.has(subject) && !table.has(subject, text))
    throw new RegistryError(40301, `${subject} belongs to the platform; other clients cannot register a schema for it`)
}

/** The text of a schema as it is registered. */
export const schemaText = (type: Type): string => JSON.stringify(type.schema({ exportAttrs: true }))
