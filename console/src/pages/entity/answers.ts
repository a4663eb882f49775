/** What the platform answers about an entity. */

import type { paths } from '../../api/schema.d.ts'

type Ok<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer Body } } } }
  ? Body
  : never

export type Details = Ok<paths['/api/analytics/v1/entity/{id}/details']['get']>
export type Evidence = Ok<paths['/api/search/v1/entity/{id}/evidence']['get']>
export type Verdict = NonNullable<Evidence['verdict']>
export type EvidenceClaim = Evidence['claims'][number]
export type Record = Ok<paths['/api/search/v1/entities/history/advanced']['post']>['results'][number]
export type Relation = Ok<paths['/api/search/v1/entity/{id}/relations']['get']>['results'][number]
export type Graph = Ok<paths['/api/analytics/v1/entity/{id}/relations']['get']>
export type GraphNode = Graph['nodes'][number]
export type Comment = Ok<paths['/api/search/v1/comments/{entityId}']['get']>['results'][number]
export type ScorePoint = Ok<paths['/api/search/v1/entity/{id}/score-history']['get']>[number]
