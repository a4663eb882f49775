/** What is promised of comments over any database. */

import { randomUUID } from 'node:crypto'
import { describe, test as everywhere, expect } from 'vitest'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { kyselyComments } from '../../../connectors/postgres/intelligence/comment-store.ts'
import type { Comment } from '../../../connectors/postgres/intelligence/port.ts'
import { userOffboarding } from '../../../connectors/postgres/lifecycle/offboarding-store.ts'
import { newUser } from '../../builders/accounts/accounts.ts'
import type { Test } from '../../builders/accounts/database/suites.ts'
import { append, cause } from '../../builders/lifecycle/events.ts'
import { during, prepared } from '../../builders/suite/during.ts'

const NOW = 1_800_000_000_000
const ALL = { limit: 100, offset: 0 }

export function commentsContract(name: string, open: () => Promise<AccountsDatabase>, test: Test = everywhere): void {
  describe(name, () => {
    const database = during(open)
    const comments = prepared(() => kyselyComments(database.db))

    const accounts = () => ({ ...kyselyAccounts(database.db, append), close: async () => undefined })
    const author = async (): Promise<string> => {
      const user = newUser()
      await accounts().createUser(user)
      return user.id
    }
    const entity = () => `ip-${randomUUID()}`
    const written = (given: Partial<Comment> & Pick<Comment, 'entityId' | 'userId'>): Comment => ({
      id: randomUUID(),
      text: 'seen in the wild',
      parentId: null,
      audience: ['public'],
      createdAt: NOW,
      ...given,
    })
    const texts = async (entityId: string, groups: string[]) =>
      (await comments.list(entityId, groups, ALL)).comments.map(({ text }) => text)

    everywhere('a comment reads back as it was written, text that looks like SQL too', async () => {
      const comment = written({
        entityId: entity(),
        userId: await author(),
        text: `'); DROP TABLE comments; --\n\t"€" 😀`,
        audience: ['a"b', 'c,d', '{}'],
      })
      expect(await comments.add(comment, true)).toBe('added')
      expect(await comments.list(comment.entityId, ['{}'], ALL)).toEqual({ items: 1, comments: [comment] })
      expect(await comments.comment(comment.entityId, comment.id, ['c,d', 'public'])).toEqual(comment)
    })

    test('it is there for those in one of its groups, and for nobody else, counted or not', async () => {
      const about = { entityId: entity(), userId: await author() }
      const secret = written({ ...about, text: 'blue', audience: ['blue'] })
      await comments.add(secret, true)
      await comments.add(written({ ...about, text: 'both', audience: ['blue', 'red'], createdAt: NOW + 1 }), true)
      await comments.add(written({ ...about, text: 'all', createdAt: NOW + 2 }), true)
      expect(await texts(about.entityId, ['public'])).toEqual(['all'])
      expect(await texts(about.entityId, ['public', 'red'])).toEqual(['all', 'both'])
      expect(await texts(about.entityId, ['public', 'blue', 'red'])).toEqual(['all', 'both', 'blue'])
      expect(await texts(about.entityId, [])).toEqual([])
      expect((await comments.list(about.entityId, ['red'], { limit: 0, offset: 0 })).items).toBe(1)
      expect(await comments.comment(about.entityId, secret.id, ['public', 'red'])).toBeNull()
    })

    test('pages are cut from the newest on, ties by id, and end', async () => {
      const about = { entityId: entity(), userId: await author() }
      const ids = Array.from({ length: 5 }, () => randomUUID()).sort()
      for (const [i, id] of ids.entries())
        await comments.add(written({ ...about, id, text: id, createdAt: i === 4 ? NOW - 1 : NOW }), true)
      const want = [...ids.slice(0, 4).reverse(), ids[4]]
      const page = async (offset: number) =>
        (await comments.list(about.entityId, ['public'], { limit: 2, offset })).comments.map(({ id }) => id)
      expect([await page(0), await page(2), await page(4), await page(6)]).toEqual([
        want.slice(0, 2),
        want.slice(2, 4),
        want.slice(4),
        [],
      ])
    })

    test('comments of one entity are not those of another', async () => {
      const comment = written({ entityId: entity(), userId: await author() })
      await comments.add(comment, true)
      const other = entity()
      expect(await comments.list(other, ['public'], ALL)).toEqual({ items: 0, comments: [] })
      expect(await comments.comment(other, comment.id, ['public'])).toBeNull()
    })

    test('a user who is deleted takes its comments along; the answers to them stand alone', async () => {
      const entityId = entity()
      const gone = await author()
      const first = written({ entityId, userId: gone, text: 'first' })
      const answer = written({ entityId, userId: await author(), text: 'answer', parentId: first.id })
      await comments.add(first, true)
      await comments.add(answer, true)
      expect(await comments.comment(entityId, answer.id, ['public'])).toEqual(answer)
      expect(await userOffboarding(database.db, append).deleteUser(gone, cause())).toBe(true)
      expect(await comments.list(entityId, ['public'], ALL)).toEqual({
        items: 1,
        comments: [{ ...answer, parentId: null }],
      })
    })

    test('nothing is stored for an author or a comment to answer that is gone', async () => {
      const entityId = entity()
      const userId = await author()
      expect(await comments.add(written({ entityId, userId: randomUUID() }), true)).toBe('no user')
      expect(await comments.add(written({ entityId, userId, parentId: randomUUID() }), true)).toBe('no parent')
      expect((await comments.list(entityId, ['public'], ALL)).items).toBe(0)
    })

    test('an author without a row is taken at its word', async () => {
      const comment = written({ entityId: entity(), userId: randomUUID() })
      expect(await comments.add(comment, false)).toBe('added')
      expect(await texts(comment.entityId, ['public'])).toEqual(['seen in the wild'])
    })
  })
}
