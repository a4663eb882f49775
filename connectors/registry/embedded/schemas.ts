import { createHash } from 'node:crypto'
import avsc, { type Type } from 'avsc'
import type { Store } from '../../log/embedded/log-store.ts'
import { conflicts, type Level } from './compatibility.ts'

/** A refusal with the code of Confluent's protocol; its first three digits are the HTTP status. */
export class RegistryError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export type SchemaTable = ReturnType<typeof schemaTable>

export type Version = { subject: string; version: number; id: number; schema: string }

/** The table of the store that has them. */
export const SCHEMAS = 'schemas'

const DEFAULT_LEVEL: Level = 'BACKWARD'

/**
 * Schemas in the store of the log, as rows:
 *   ['id', id] the text   ['hash', hash] its id   ['version', subject, n] the id   ['config', subject] its level
 * An id belongs to one text for ever, whatever subjects it stands under.
 */
export function schemaTable(store: Store) {
  const table = store.table<string | number>(SCHEMAS)

  function versions(subject: string): Version[] {
    store.refresh()
    const rows = table.getRange({ start: ['version', subject], end: ['version', subject, Number.MAX_SAFE_INTEGER] })
    return [...rows].map(({ key, value }) => {
      const id = Number(value)
      return { subject, version: Number((key as (string | number)[])[2]), id, schema: String(table.get(['id', id])) }
    })
  }

  const level = (subject: string): Level => (levelOf(subject) ?? levelOf('') ?? DEFAULT_LEVEL) as Level
  const levelOf = (subject: string) => table.get(['config', subject]) as Level | undefined

  return {
    versions,
    subjects(): string[] {
      store.refresh()
      const rows = table.getKeys({ start: ['version'], end: ['version', '\uffff'] })
      return [...new Set([...rows].map((key) => String((key as (string | number)[])[1])))]
    },
    schema(id: number): string {
      store.refresh()
      const text = table.get(['id', id])
      if (text === undefined) throw new RegistryError(40403, `schema ${id} not found`)
      return String(text)
    },
    find(subject: string, text: string): Version {
      const known = versions(subject)
      if (known.length === 0) throw new RegistryError(40401, `subject ${subject} not found`)
      const found = known.find(({ schema }) => schema === normaliseText(text))
      if (!found) throw new RegistryError(40403, `schema not found under subject ${subject}`)
      return found
    },
    /** Whether a subject has a schema already. */
    has: (subject: string, text: string): boolean =>
      versions(subject).some(({ schema }) => schema === normaliseText(text)),
    conflicts: (subject: string, text: string, against: readonly Version[]): string[] =>
      conflicts(
        level(subject),
        parseSchema(text),
        against.map(({ schema }) => parseSchema(schema)),
      ),
    /** Durable and the same for every process once it resolves. */
    register(subject: string, given: string): Promise<Version> {
      const type = parseSchema(given)
      const schema = normaliseText(given)
      const hash = createHash('sha256').update(schema).digest('hex')
      return store.write(() => {
        const known = versions(subject)
        const same = known.find((version) => version.schema === schema)
        if (same) return same
        const why = conflicts(
          level(subject),
          type,
          known.map((version) => parseSchema(version.schema)),
        )
        if (why.length > 0)
          throw new RegistryError(409, `incompatible with an earlier schema of ${subject}: ${why.join('; ')}`)
        const id = Number(table.get(['hash', hash]) ?? 0) || Number(table.get('lastId') ?? 0) + 1
        const version = (known.at(-1)?.version ?? 0) + 1
        if (table.get(['id', id]) === undefined) {
          table.put(['id', id], schema)
          table.put(['hash', hash], id)
          table.put('lastId', id)
        }
        table.put(['version', subject, version], id)
        return { subject, version, id, schema }
      })
    },
    /** The level that a subject has of its own, if any. */
    ownLevel(subject: string): Level | undefined {
      store.refresh()
      return levelOf(subject)
    },
    level(subject: string): Level {
      store.refresh()
      const found = subject === '' ? level('') : levelOf(subject)
      if (!found) throw new RegistryError(40408, `subject ${subject} has no compatibility level of its own`)
      return found
    },
    setLevel: (subject: string, to: Level): Promise<unknown> =>
      store.write(() => void table.put(['config', subject], to)),
  }
}

/** Two texts of one schema are one schema: only what stands between the quotes counts. */
function normaliseText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    throw new RegistryError(42201, 'the schema is not JSON')
  }
}

function parseSchema(text: string): Type {
  const schema = JSON.parse(normaliseText(text))
  try {
    return avsc.Type.forSchema(schema)
  } catch (error) {
    throw new RegistryError(42201, `not an Avro schema: ${(error as Error).message}`)
  }
}
