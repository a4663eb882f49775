/** What the platform answers about a value in telemetry, and for which entities it is asked (decisions 14.2, 14.4). */

import { definitions, typesWhere } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import type { paths } from '../../../api/schema.d.ts'
import type { Details } from '../answers.ts'

export type Seen = paths['/api/match/v1/seen']['get']['responses'][200]['content']['application/json']
export type SeenRow = Seen['items'][number]

const NAMES: readonly string[] = typesWhere(({ covered }) => covered === 'host')
const URLS: readonly string[] = typesWhere(({ covered }) => covered === 'url')
const MAILS: readonly string[] = definitions()
  .filter(({ dataType }) => dataType === 'Email')
  .map(({ type }) => type)

/** Types whose values telemetry can have, and can be matched with. */
export const SEEN_TYPES: readonly string[] = [
  ...NAMES,
  ...URLS,
  ...MAILS,
  ...(['ip', 'cidr', 'md5', 'sha1', 'sha256', 'file', 'ja3-fingerprint'] as const),
]

/** The question about an entity: of a name also what is below it. */
export const seenQuery = ({ type, value }: Pick<Details, 'type' | 'value'>, limit: number) => ({
  params: { query: { value, below: NAMES.includes(type), limit } },
})

/** Different hosts of the rows, those of the newest first. */
export const hostsOf = (rows: readonly Pick<SeenRow, 'hosts'>[]): string[] => [
  ...new Set(rows.flatMap(({ hosts }) => hosts)),
]
