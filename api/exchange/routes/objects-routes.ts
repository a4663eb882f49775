/** Objects of collections: those of feeds are read (TAXII 2.1, 5.3 to 5.8; decisions 15.2). */

import { type TObject, Type } from 'typebox'
import { type Action, ahead, read } from '../../../schemas/audit/action.ts'
import { MAX_CURSOR } from '../../../schemas/cursors/seal.ts'
import { readFilter } from '../../../schemas/feeds-out/collections/filter.ts'
import { momentIn, momentText } from '../../../schemas/feeds-out/collections/moment.ts'
import { OwnBytes } from '../../http/answers/raw-body.ts'
import { ApiError, invalid } from '../../http/errors.ts'
import { UUID } from '../../http/fields/examples.ts'
import type { JsonObject } from '../../http/fields/json.ts'
import { type ReadCredentials, type Route, reply, route } from '../../http/route.ts'
import {
  type CollectionPage,
  type CollectionService,
  MOST_OBJECTS,
  type PageWanted,
} from '../services/collections-service.ts'
import { mustAccept } from '../services/media.ts'
import { COLLECTION, collectionId, common, PAGES, READS, taxii } from './common-routes.ts'

/** Objects of collections as TAXII 2.1 writes them (3.7, 5.4 to 5.8). */
const STIX_MEDIA = 'application/stix+json;version=2.1'

/** Dates added of the first and the last object; none for an empty page. */
function addedHeaders({ objects }: Pick<CollectionPage, 'objects'>): Record<string, string> {
  const [first, last] = [objects[0], objects.at(-1)]
  if (first === undefined || last === undefined) return {}
  return {
    'x-taxii-date-added-first': momentText(first.added),
    'x-taxii-date-added-last': momentText(last.added),
  }
}

/** Members that go on, with a comma behind them. */
const going = ({ next }: CollectionPage): string => (next === null ? '' : `"more":true,"next":${JSON.stringify(next)},`)

const closed = (members: string): string => `{${members.endsWith(',') ? members.slice(0, -1) : members}}`

const COMMA = Buffer.from(',')

/** An envelope: the objects are JSON, and their bytes are put together as they are. */
function envelope(page: CollectionPage): OwnBytes {
  if (page.objects.length === 0) return new OwnBytes(Buffer.from(closed(going(page))))
  const parts: Buffer[] = [Buffer.from(`{${going(page)}"objects":[`)]
  for (const { said } of page.objects) parts.push(said, COMMA)
  parts[parts.length - 1] = Buffer.from(']}')
  return new OwnBytes(Buffer.concat(parts))
}

function manifestText(page: CollectionPage): string {
  const records = page.objects.map(
    ({ said, added, version }) =>
      `{"id":"${said}","date_added":"${momentText(added)}","version":"${versionText(version)}","media_type":"${STIX_MEDIA}"}`,
  )
  return closed(`${going(page)}${records.length === 0 ? '' : `"objects":[${records.join(',')}]`}`)
}

function versionsText(page: CollectionPage): string {
  const versions = page.objects.map(({ version }) => `"${versionText(version)}"`)
  return closed(`${going(page)}${versions.length === 0 ? '' : `"versions":[${versions.join(',')}]`}`)
}

const MICROS_A_MS = 1_000

/** As the object says it: with three digits, unless it has no version but the date when it was added. */
const versionText = (version: number): string =>
  version % MICROS_A_MS === 0 ? momentText(version).replace(/000Z$/, 'Z') : momentText(version)

const MAX_WORDS = 8_192
const words = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: MAX_WORDS, description }))

const MATCH = {
  'match[id]': words('ids of objects, separated by commas'),
  'match[type]': words('types of objects, separated by commas'),
  'match[version]': words('`last` (the default), `first`, `all` or times, separated by commas'),
  'match[spec_version]': words('versions of STIX, separated by commas; all objects have version 2.1'),
} as const

const PAGE = {
  added_after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'objects that were added after this time' }),
  ),
  limit: Type.Integer({
    default: MOST_OBJECTS,
    minimum: 1,
    description: 'maximum number of objects; values above 1,000 count as 1,000',
  }),
  next: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_CURSOR, description: '`next` of the last page' })),
} as const

type Given = { [Name in keyof typeof MATCH]?: string } & { added_after?: string; limit: number; next?: string }

/** Throws 400 that names the parameter. */
function wantedIn(query: Given, texts: boolean, only?: { id: string; version?: string }): PageWanted {
  const version = only?.version ?? query['match[version]']
  const read = readFilter({
    ...given('id', only?.id ?? query['match[id]']),
    ...given('type', query['match[type]']),
    ...given('version', version),
    ...given('specVersion', query['match[spec_version]']),
  })
  if (!read.ok) throw invalid(read.param, read.message)
  const { added_after: date, limit, next = null } = query
  const after = date === undefined ? 0 : momentIn(date)
  if (after === null) throw invalid('added_after', 'must be a time of RFC 3339, such as 2026-01-31T12:00:00.123456Z')
  return { after: Math.max(0, after), next, limit, filter: read.filter, texts }
}

const given = (name: string, value: string | undefined): Record<string, string> =>
  value === undefined ? {} : { [name]: value }

type Reading = {
  path: string
  id: string
  summary: string
  audit?: Action
  query: TObject
  params?: TObject
  body: (page: CollectionPage) => string | OwnBytes
  texts: boolean
  only?: (params: { id: string; objectId: string }) => { id: string; version?: string }
}

const objectParams = Type.Object({
  id: collectionId,
  objectId: Type.String({ minLength: 1, maxLength: 300, description: 'id of an object' }),
})

const { 'match[version]': _version, 'match[id]': _id, 'match[type]': _type, ...SPEC } = MATCH

const EXPORT = read('collection.export', { param: 'id' })

const WORDS: JsonObject = {
  added_after: '2026-03-01T12:00:00.000000Z',
  next: 'Kc3rfAq44Ny4VDKBoxNkVc6ezfX28FopeS2ERgWS6Y2HK2YnFg',
  objectId: `indicator--${UUID}`,
  'match[id]': `indicator--${UUID}`,
  'match[type]': 'indicator,ipv4-addr',
  'match[version]': 'all',
  'match[spec_version]': '2.1',
}

const READINGS: readonly Reading[] = [
  {
    path: `${COLLECTION}objects/`,
    id: 'listTaxiiObjects',
    audit: EXPORT,
    summary: 'Get objects of a collection, in the order in which they were added.',
    query: Type.Object({ ...PAGE, ...MATCH }),
    body: envelope,
    texts: true,
  },
  {
    path: `${COLLECTION}manifest/`,
    id: 'listTaxiiManifest',
    audit: EXPORT,
    summary: 'List the objects of a collection without their content.',
    query: Type.Object({ ...PAGE, ...MATCH }),
    body: manifestText,
    texts: false,
  },
  {
    path: `${COLLECTION}objects/{objectId}/`,
    id: 'getTaxiiObject',
    audit: EXPORT,
    summary: 'Get an object of a collection.',
    query: Type.Object({ ...PAGE, ...SPEC, 'match[version]': MATCH['match[version]'] }),
    params: objectParams,
    body: envelope,
    texts: true,
    only: ({ objectId }) => ({ id: objectId }),
  },
  {
    path: `${COLLECTION}objects/{objectId}/versions/`,
    id: 'listTaxiiVersions',
    summary: 'List the versions of an object of a collection.',
    query: Type.Object({ ...PAGE, ...SPEC }),
    params: objectParams,
    body: versionsText,
    texts: false,
    only: ({ objectId }) => ({ id: objectId, version: 'all' }),
  },
]

export function objectRoutes(collections: CollectionService, credentials: ReadCredentials): Route[] {
  const readings = READINGS.map(({ query, params, body, texts, only, ...declared }) =>
    route({
      ...common,
      credentials,
      method: 'get',
      ...declared,
      codes: PAGES,
      examples: { words: WORDS },
      params: params ?? Type.Object({ id: collectionId }),
      query,
      responses: { 200: taxii('Objects, and `next` where there are more.') },
      handler: async ({ user, params: at, query: asked, header }) => {
        mustAccept(header('accept'))
        const place = at as { id: string; objectId: string }
        const feed = await collections.feed(user, place.id)
        using page = await collections.page(feed, wantedIn(asked as Given, texts, only?.(place)))
        const isEnd = page.objects.length === 0 && page.next === null
        const isUnknown = only !== undefined && isEnd && isPlain(asked as Given)
        if (isUnknown) throw new ApiError('not_found', { message: 'no such object' })
        return reply(200, body(page), addedHeaders(page))
      },
    }),
  )
  return [...readings, deleteRoute(collections, credentials)]
}

/** Nothing is asked for but the object itself. */
const isPlain = (query: Given): boolean => Object.keys(query).every((name) => name === 'limit')

/** What a feed said is not taken back by its readers. */
const deleteRoute = (collections: CollectionService, credentials: ReadCredentials): Route =>
  route({
    ...common,
    scope: 'feeds:write',
    credentials,
    method: 'delete',
    path: `${COLLECTION}objects/{objectId}/`,
    id: 'deleteTaxiiObject',
    summary: 'Always refused: objects of a collection cannot be deleted.',
    codes: READS,
    examples: { words: WORDS },
    audit: ahead('collection.retract', { param: 'id' }),
    params: objectParams,
    query: Type.Object({ ...SPEC, 'match[version]': MATCH['match[version]'] }),
    responses: { 200: taxii('Never answered.') },
    handler: async ({ user, params, header }) => {
      mustAccept(header('accept'))
      await collections.collection(user, params.id)
      throw new ApiError('forbidden', { message: 'objects of a collection cannot be deleted' })
    },
  })
