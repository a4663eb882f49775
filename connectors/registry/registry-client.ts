import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import avsc, { type Type } from 'avsc'
import { retry } from '../../platform/retry.ts'
import { registryRules } from './compatibility-rules.ts'
import type { Registry } from './port.ts'
import { registryAddress } from './registry-address.ts'

export type RegistryOptions = {
  /** Base URL of a registry that speaks Confluent's protocol; a user and a password in it go as HTTP Basic. */
  url: string
}

/** Before each further attempt of a registration that was refused; there is one attempt more. */
const PAUSES_MS = [100, 200, 300, 400, 500]
/** A connection that was kept may be closed as a request leaves. A schema that arrived is registered again under its id. */
const CUT_OFF = /\b(?:ECONNRESET|EPIPE|socket hang up)\b/
/** The end of the client's error message for a subject without a rule of its own. */
const WITHOUT_RULE = '!= NONE)'
/** How the client refuses a subject of another level. */
const OTHER_LEVEL = /Compatibility does not match the configuration \(\w+ != (\w+)\)/

/** A registry over HTTP. Schemas never change under their id, so what was fetched is kept. */
export function registryClient({ url }: RegistryOptions): Registry {
  const { host, auth } = registryAddress(url)
  const registry = new SchemaRegistry({ host, clientId: 'harrier', ...(auth === null ? {} : { auth }) })
  const types = new Map<number, Type>()
  const rules = registryRules(url)

  return {
    async register(subject, type) {
      const schema = JSON.stringify(type.schema({ exportAttrs: true }))
      const options = { subject, compatibility: COMPATIBILITY.BACKWARD }
      const register = () => registry.register({ type: SchemaType.AVRO, schema }, options)
      const { id } = await registerAgreed(register, () => rules.set(subject, COMPATIBILITY.BACKWARD)).catch((cause) => {
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
        throw new Error(`cannot fetch schema ${id} from ${host}: ${messageOf(error)}`, { cause: error })
      })
      if (!found) return undefined
      const type = rebuilt(found)
      if (type !== undefined) types.set(id, type)
      return type
    },
    known: (id) => types.get(id),
    ping: () => rules.ping(),
  }
}

/**
 * Processes that start at once on an empty registry make a subject and its rule at once. One of them is refused with the
 * status of a schema that does not fit, or meets the subject before its rule; asked again, it meets both. A schema that
 * does not fit is refused every time. A subject that stays without a rule was left so by a process that died: `rule`
 * makes it.
 */
function registerAgreed<T>(register: () => Promise<T>, rule: () => Promise<void>): Promise<T> {
  return retry(register, {
    pausesMs: PAUSES_MS,
    attempts: PAUSES_MS.length + 1,
    shouldRetry: (error) => statusOf(error) === 409 || isWithoutRule(error) || CUT_OFF.test(messageOf(error)),
    beforeRetry: async (error, attempt) => {
      if (isWithoutRule(error) && attempt === PAUSES_MS.length) await rule()
    },
  })
}

const isWithoutRule = (error: unknown): boolean => messageOf(error).endsWith(WITHOUT_RULE)

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
  const level = OTHER_LEVEL.exec(messageOf(cause))?.[1]
  if (level !== undefined)
    return new Error(
      `the compatibility level of ${subject} in the schema registry is ${level} but must be BACKWARD; ` +
        'run `harrier doctor --repair` to set it',
      { cause },
    )
  return new Error(`cannot register the schema of ${subject}: ${messageOf(cause)}`, { cause })
}

/** Built again: the client may bundle another copy of avsc, whose types our copy does not recognise. */
function rebuilt(found: object): Type | undefined {
  if (!('schema' in found)) return undefined
  try {
    return avsc.Type.forSchema((found as Type).schema({ exportAttrs: true }) as avsc.Schema)
  } catch {
    return undefined
  }
}
