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
const ATTEMPTS = 5
const PAUSE_MS = 100
/** How the client ends its refusal of a subject that nobody has made a rule for. */
const WITHOUT_RULE = '!= NONE)'

/** A registry over HTTP. Schemas never change under their id, so what was fetched is kept. */
export function registryClient({ url }: RegistryOptions): Registry {
  const host = url.replace(/\/+$/, '')
  const registry = new SchemaRegistry({ host, clientId: 'harrier' })
  const types = new Map<number, Type>()

  return {
    async register(subject, type) {
      const schema = JSON.stringify(type.schema({ exportAttrs: true }))
      const options = { subject, compatibility: COMPATIBILITY.BACKWARD }
      const register = () => registry.register({ type: SchemaType.AVRO, schema }, options)
      const { id } = await agreed(register, () => makeRule(host, subject)).catch((cause) => {
        throw refusal(subject, cause)
      })
      types.set(id, type)
      return id
    },
    async schema(id) {
      const known = types.get(id)
      if (known) return known
      const found = await registry.getSchema(id).catch((error) => {
        // Without a status it was answered, but is of another kind (JSON, Protobuf) or malformed.
        if (statusOf(error) === 404 || statusOf(error) === undefined) return undefined
        throw new Error(`schema ${id} could not be fetched from ${host}: ${messageOf(error)}`, { cause: error })
      })
      if (!found) return undefined
      const type = rebuilt(found)
      if (type !== undefined) types.set(id, type)
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
 * Processes that start at once on an empty registry make a subject and its rule at once. One of them is refused with the
 * status of a schema that does not fit, or meets the subject before its rule; asked again, it meets both. A schema that
 * does not fit is refused every time. A subject that stays without a rule was left so by a process that died: `rule`
 * makes it.
 */
async function agreed<T>(register: () => Promise<T>, rule: () => Promise<void>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await register()
    } catch (error) {
      const bare = (error as Error).message.endsWith(WITHOUT_RULE)
      if (!(statusOf(error) === 409 || bare) || attempt > ATTEMPTS) throw error
      if (bare && attempt === ATTEMPTS) await rule()
      await sleep(PAUSE_MS * attempt)
    }
  }
}

async function makeRule(host: string, subject: string): Promise<void> {
  const response = await fetch(`${host}/config/${encodeURIComponent(subject)}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ compatibility: COMPATIBILITY.BACKWARD }),
    signal: AbortSignal.timeout(PATIENCE),
  })
  await response.body?.cancel()
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

/** Built anew: the client may carry another copy of avsc, whose types ours does not recognise. */
function rebuilt(found: object): Type | undefined {
  if (!('schema' in found)) return undefined
  try {
    return avsc.Type.forSchema((found as Type).schema({ exportAttrs: true }) as avsc.Schema)
  } catch {
    return undefined
  }
}
