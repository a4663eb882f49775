import { expect, test } from 'vitest'
import { invitationOf } from '../../../../../console/src/session/invitation.ts'

test('the invitation of a link is a token and nothing else', () => {
  expect(invitationOf('#invitation=aB_9-x')).toBe('aB_9-x')
  expect(invitationOf('#a=b&invitation=aB_9-x&c=d')).toBe('aB_9-x')
  for (const hash of ['', '#', '#invitation=', '#invitation=a/b', `#invitation=${'a'.repeat(129)}`, '#xinvitation=a'])
    expect(invitationOf(hash)).toBeNull()
})
