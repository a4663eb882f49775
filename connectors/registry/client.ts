import { setTimeout as sleep } from 'node:timers/promises'
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import avsc, { type Type } from 'avsc'
import type { Registry } from './port.ts'

export type RegistryOptions = {
  /** Base URL of a registry that speaks Confluent's protocol. */
  url: string
}

/** Milliseconds until a registry counts as unreachable. */
const PATIENCE = 10_000
/** Of a registration that was refused. */
const ATTEMPTS = 3
const PAUSE_MS = 100

/** A registry over HTTP. Schemas never change under their id, so what was fetched is kept. */
export function registryClient({ url }: RegistryOptions): Registry {
  const host = url.replace(/\/+$/, '')
  const registry = new SchemaRegistry({ host, clientId: 'harrier' })
  const types = new Map<number, Type>()

  return {
    async register(subject, type) {
      const schema = JSON.stringify(type.schema({ exportAttrs: true }))
      const options = { subject, compatibility: COMPATIBILITY.BACKWARD }
      const { id } = await agreed(() => registry.register({ type: SchemaType.AVRO, schema }, options)).catch(
        (cause) => {
          throw refusal(subject, cause)
        },
      )
      types.set(id, type)
      return id
    },
    async schema(id) {
      const known = types.get(id)
      if (known) return known
      const found = await registry.getSchema(id).catch((error) => {
        if (statusOf(error) === 404) return undefined
        throw new Error(`schema ${id} could not be fetched from ${host}: ${messageOf(error)}`, { cause: error })
      })
      if (!found) return undefined
      if (!('schema' in found)) throw new Error(`schema ${id} of ${host} is not an Avro schema`)
      // Built anew: the client may carry another copy of avsc, whose types ours does not recognise.
      const type = avsc.Type.forSchema((found as Type).schema({ exportAttrs: true }) as avsc.Schema)
      types.set(id, type)
      return type
    },
    known: (id) => types.get(id),
    async ping() {
      const response = await fetch(`${host}/subjects`, { signal: AbortSignal.timeout(PATIENCE) })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the schema registry ${host} answers ${response.status}`)
    },
  }
}

/**
 * Processes that start at once on an empty registry make the rule of a subject at once, and one of them is refused with
 * the status of a schema that does not fit. Asked again, it meets what the other made; a schema that does not fit is
 * refused every time.
 */
async function agreed<T>(register: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await register()
    } catch (error) {
      if (statusOf(error) !== 409 || attempt === ATTEMPTS) throw error
      await sleep(PAUSE_MS * attempt)
    }
  }
}

const statusOf = (error: unknown): unknown => (error as { status?: unknown }).status
const messageOf = (error: unknown): string => (error as Error).message

function refusal(subject: string, cause: unknown): Error {
  if (statusOf(cause) === 409)
    return new Error(
      `the schema of ${subject} is not backward compatible with the registered one: ${messageOf(cause)}`,
      {
        cause,
      },
    )
  return new Error(`the schema of ${subject} could not be registered: ${messageOf(cause)}`, { cause })
}
