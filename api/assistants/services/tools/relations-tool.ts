import { Type } from 'typebox'
import { quoted } from '../../../../schemas/assistants/cleaned.ts'
import { CLOSED } from '../../../http/fields/common.ts'
import { subject, subjectId } from '../entity-subject.ts'
import { tool } from '../tool.ts'

type Relation = {
  id: string
  entityID: string
  relatedEntityID: string
  mode: string
  relationships: readonly string[]
  direction: 'outgoing' | 'incoming'
  type: string | null
  value: string | null
  reputation: number | null
  accuracy: number | null
  '@timestamp': string
  lastSeen: string
  visibleBy: readonly string[]
}
type Answer = { items: number; pages: number; results: readonly Relation[] }

export const relations = tool({
  name: 'relations',
  title: 'List relations',
  description:
    'The relations of an entity, in both directions, newest first. Each item describes the other end; its type and value are null if the caller may read the relation but not that entity.',
  scope: 'read',
  input: Type.Object(
    {
      ...subject,
      types: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 64, pattern: '^[^,]*$' }), {
          minItems: 1,
          maxItems: 100,
          description: 'entity types of the other end, any of them',
        }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'relations of a page; default: 20' })),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'page number; default: 1' })),
    },
    CLOSED,
  ),
  async find({ ask }, { types, limit = 20, page = 1, ...named }) {
    const id = subjectId(named)
    const query = { limit, page, types: types?.join(',') }
    const { items, pages, results } = (await ask('relations', { params: { id }, query })) as Answer
    return {
      head: { entityId: id, total: items, page, pages },
      lists: { items: results.map(shownRelation) },
      tail: (shown, truncated) =>
        truncated
          ? { more: `Call again with limit ${Math.max(1, shown.items!)} and go through the pages from 1.` }
          : {},
    }
  },
})

const shownRelation = (relation: Relation) => ({
  id: relation.direction === 'outgoing' ? relation.relatedEntityID : relation.entityID,
  type: relation.type,
  value: relation.value === null ? null : quoted(relation.value),
  reputation: relation.reputation,
  accuracy: relation.accuracy,
  direction: relation.direction,
  mode: relation.mode,
  relationships: relation.relationships.map(quoted),
  firstSeen: relation['@timestamp'],
  lastSeen: relation.lastSeen,
  visibleBy: relation.visibleBy.map(quoted),
})
