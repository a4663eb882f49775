import type { Static, TObject } from 'typebox'
import type { Scope } from '../../../schemas/accounts/scopes.ts'
import type { Found } from '../../../schemas/assistants/packed.ts'
import type { Question } from './inner-requests.ts'

/** The routes that tools ask, as they are declared. */
export const ASKED = {
  lookup: 'post /api/search/v1/entities/lookup',
  entity: 'get /api/search/v1/entity/{id}',
  comments: 'get /api/search/v1/comments/{entityId}',
  evidence: 'get /api/search/v1/entity/{id}/evidence',
  relations: 'get /api/search/v1/entity/{id}/relations',
  search: 'post /api/search/v1/entities/simple',
  select: 'post /api/search/v1/entities/selector',
  matches: 'get /api/match/v1/matches',
  changes: 'get /api/live/v1/changes',
  sources: 'get /api/analytics/v1/sources',
} as const
export type Asked = keyof typeof ASKED

/** What a tool works with: one caller, at one time. */
export type Asking = {
  /** The body that a route answers the caller with. Throws ApiError as the route does. */
  ask: (route: Asked, question: Question) => Promise<unknown>
  /** Unix milliseconds. */
  now: number
  /** Aborts when the client goes away. */
  signal: AbortSignal
}

/** A read-only tool of an assistant (decisions 16.4). Its words are ours alone: no data of the platform is in them. */
export type Tool = {
  name: string
  title: string
  description: string
  /** What a narrowed key needs (decisions 16.1). */
  scope: Scope
  /** Of the arguments; checked before `find`. */
  input: TObject
  find: (asking: Asking, given: unknown) => Promise<Found>
}

/** Declares a tool whose arguments are typed by its schema. */
export const tool = <const I extends TObject>(
  declared: Omit<Tool, 'input' | 'find'> & { input: I; find: (asking: Asking, given: Static<I>) => Promise<Found> },
): Tool =>
  // Safe: callTool checks the arguments with the very schema that the types came from.
  declared as unknown as Tool
