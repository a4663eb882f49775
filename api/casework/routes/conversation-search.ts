/** "In which investigation did I see this hash?": search of the caller's conversations (ADR 168). */

import { Type } from 'typebox'
import { type Route, route } from '../../http/route.ts'
import type { CaseworkEntryService } from '../services/casework-entries.ts'
import { TURNS } from './casework-entries.ts'
import { CASEWORK, type Common, caseworkPaging, entryShape, replyPage, shownEntry, TOTAL } from './casework-shapes.ts'

const query = Type.Object({
  q: Type.String({ maxLength: 1_000, description: 'words that must all occur; the last word may be incomplete' }),
  page: caseworkPaging.page,
  limit: Type.Integer({ default: 25, minimum: 1, maximum: 50 }),
})

export const conversationSearch = (entries: CaseworkEntryService, common: Common): Route =>
  route({
    ...common,
    method: 'get',
    path: `${CASEWORK}/conversations/search`,
    summary: `Search the turns of the caller’s conversations for words. Without words the result is empty. ${TOTAL}`,
    query,
    responses: { 200: Type.Array(entryShape(TURNS), { description: 'newest first' }) },
    handler: async ({ user, query: { q, ...page } }) => {
      const { found, items } = await entries.search(user, q, page)
      return replyPage(
        found.map(({ record, entry }) => shownEntry(TURNS, record, entry)),
        items,
      )
    },
  })
