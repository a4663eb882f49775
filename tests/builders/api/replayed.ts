/** Requests made of the examples of an API document, and whether the answers are those that it lists. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject, type Json, type JsonObject } from '../../../api/http/fields/json.ts'

type Headers = Record<string, string>
export type Replayed = { id: string; status: number; code: string | undefined; faults: string[] }

/** What is made first, and what ends things last. */
const ORDER = ['post', 'put', 'patch', 'get', 'delete']

type Call = { method: string; path: string; operation: JsonObject }

/** Every operation in an order in which most can succeed. */
function callsOf(document: JsonObject): Call[] {
  const paths = Object.entries(document.paths as Record<string, Record<string, JsonObject>>)
  const calls = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const depth = ({ path }: Call): number => path.split('/').length
  return calls.sort((a, b) => {
    const order = ORDER.indexOf(a.method) - ORDER.indexOf(b.method)
    return order !== 0 ? order : a.method === 'delete' ? depth(b) - depth(a) : depth(a) - depth(b)
  })
}

/** How often a request is sent that is answered 503. */
const TRIES = 5

const COLLECTIONS = '/taxii2/harrier/collections'

/**
 * Sends every example of `document` to `url` but those of the operations in `without`.
 * @param as credentials for a path
 * @param known ids by the path that has made them before
 */
export async function replayExamples(
  url: string,
  document: JsonObject,
  as: (path: string) => Headers,
  without: readonly string[],
  known: Readonly<Record<string, string>>,
): Promise<Replayed[]> {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  const fault = (schema: Json, value: unknown): string[] => {
    const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')))
    return check(value) ? [] : [ajv.errorsText(check.errors)]
  }
  const resolved = (node: Json | undefined): JsonObject | undefined => {
    if (!isObject(node) || typeof node.$ref !== 'string') return isObject(node) ? node : undefined
    return ((document.components as JsonObject).responses as JsonObject)[node.$ref.split('/').at(-1)!] as JsonObject
  }
  /** Ids by the path that made them: `/cases` has made what `/cases/{id}` is asked for. */
  const made = new Map(Object.entries(known))
  const results: Replayed[] = []
  for (const { method, path, operation } of callsOf(document)) {
    const id = String(operation.operationId)
    if (without.includes(id)) continue
    // Of the collections, one takes objects; the others are the feeds that were made.
    const places = id === 'postTaxiiObjects' ? new Map([[COLLECTIONS, 'inbox']]) : made
    const target = addressOf(path, (operation.parameters ?? []) as JsonObject[], places)
    const [media, body] = bodyOf(operation)
    const response = await patient(url + target, {
      method: method.toUpperCase(),
      headers: {
        ...as(path),
        ...(body === undefined ? {} : { 'content-type': media }),
        // Clients of the Model Context Protocol have to say both.
        ...(id === 'answerAssistant' ? { accept: 'application/json, text/event-stream' } : {}),
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
    })
    const text = await response.text()
    const faults: string[] = []
    let code: string | undefined
    const listed = resolved((operation.responses as JsonObject)[response.status])
    const content = (listed?.content as JsonObject)?.['application/json'] as JsonObject | undefined
    // Its answer has a media type of its own.
    if (id === 'postTaxiiObjects' && response.ok) made.set('/taxii2/harrier/status', JSON.parse(text).id)
    if (listed === undefined) faults.push(`${response.status} is not listed: ${text.slice(0, 300)}`)
    else if (content?.schema !== undefined && (content.schema as JsonObject).type !== 'string') {
      const answer = JSON.parse(text)
      faults.push(...fault(content.schema, answer))
      code = answer?.error?.code
      if (code !== undefined && !(code in (content.examples as object))) faults.push(`${code} is not listed`)
      // A feed that was made a moment ago may have no list yet.
      if (response.status >= 500 && code !== 'building') faults.push(text)
      const own = answer?.id ?? answer?.customerID ?? answer?.keyID ?? answer?.sessionID ?? answer?.userID
      if (method === 'post' && response.ok && typeof own === 'string') made.set(path, own)
      if (id === 'createFeed' && response.ok) made.set(COLLECTIONS, answer.id)
      if (id === 'createDownloadToken' && response.ok) made.set('/api/feeds/v1/t', answer.token)
    }
    results.push({ id, status: response.status, code, faults })
  }
  return results
}

/** As a client does: what is said to be unavailable for the moment, as on a machine without an idle processor, is asked again. */
async function patient(url: string, request: RequestInit): Promise<Response> {
  for (let times = 1; ; times++) {
    const response = await fetch(url, request)
    if (response.status !== 503 || times === TRIES) return response
    await response.body?.cancel()
    await sleep(1_000)
  }
}

/** The example of a body in its media type; lines stand as they are. */
function bodyOf(operation: JsonObject): [media: string, body: string | undefined] {
  const content = ((operation.requestBody as JsonObject)?.content ?? {}) as Record<string, JsonObject>
  const [media = '', found] = Object.entries(content)[0] ?? []
  if (found === undefined) return [media, undefined]
  return [media, typeof found.example === 'string' ? found.example : JSON.stringify(found.example)]
}

/** The id that was made in a collection, or in one of the same name: administrators reach what others have made. */
function madeIn(made: ReadonlyMap<string, string>, collection: string): string | undefined {
  const exact = made.get(collection) ?? made.get(collection.replace(/s$/, ''))
  const last = (path: string): string => path.split('/').at(-1)!
  return exact ?? [...made].find(([path]) => last(path) === last(collection))?.[1]
}

/** The path with what was made before in place of examples, and the query of the examples. */
function addressOf(path: string, parameters: readonly JsonObject[], made: ReadonlyMap<string, string>): string {
  const example = (name: string): string => String(parameters.find((one) => one.name === name)?.example)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string, at: number) => {
    const collection = path.slice(0, at - 1)
    // Entities, roles and formats are named by what they are, not by an id that an answer made.
    const known = ['entityId', 'role', 'format'].includes(name) ? undefined : madeIn(made, collection)
    return encodeURIComponent(known ?? example(name))
  })
  const query = parameters
    // `next` of TAXII is a word of the answer before.
    .filter((one) => one.in === 'query' && one.name !== 'next')
    .map((one): [string, string] => [String(one.name), String(one.example)])
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`
}
