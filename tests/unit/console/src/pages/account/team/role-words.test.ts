import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ROLE_WORDS, roleWords, whyNot } from '../../../../../../../console/src/pages/account/team/role-words.ts'
import {
  MEMBER_ROLES,
  type MemberChange,
  type MemberRole,
  teamRefusal,
} from '../../../../../../../schemas/accounts/team.ts'

const facts = (caller: MemberRole, target: MemberRole | null, owners = 1) => ({ caller, target, own: false, owners })
const may = (change: MemberChange, ...given: Parameters<typeof facts>) => teamRefusal(change, facts(...given)) === null

describe('what the roles allow, in words', () => {
  test('the documentation has every sentence', () => {
    const page = readFileSync('docs/administer/teams.md', 'utf8')
    for (const { role, allows, forbids } of roleWords())
      expect(page).toContain(`| \`${role}\` | ${allows} | ${forbids} |`)
    expect(Object.keys(ROLE_WORDS)).toEqual([...MEMBER_ROLES])
  })

  test('what is said of owners is what the rules do', () => {
    expect(may({ kind: 'add', role: 'admin' }, 'owner', null)).toBe(true)
    expect(may({ kind: 'set', role: 'admin' }, 'owner', 'user')).toBe(true)
    expect(may({ kind: 'transfer' }, 'owner', 'user')).toBe(true)
    expect(may({ kind: 'set', role: 'user' }, 'owner', 'owner', 1)).toBe(false)
    expect(may({ kind: 'remove' }, 'owner', 'owner', 1)).toBe(false)
    expect(teamRefusal({ kind: 'leave' }, { ...facts('owner', 'owner', 1), own: true })).toBe('last_owner')
  })

  test('what is said of admins is what the rules do', () => {
    for (const target of ['admin', 'user'] as const) {
      expect(may({ kind: 'remove' }, 'admin', target)).toBe(true)
      expect(may({ kind: 'set', role: 'user' }, 'admin', target)).toBe(true)
      expect(may({ kind: 'set', role: 'admin' }, 'admin', target)).toBe(false)
    }
    expect(may({ kind: 'add', role: 'user' }, 'admin', null)).toBe(true)
    expect(may({ kind: 'add', role: 'admin' }, 'admin', null)).toBe(false)
    expect(may({ kind: 'remove' }, 'admin', 'owner', 2)).toBe(false)
    expect(may({ kind: 'set', role: 'user' }, 'admin', 'owner', 2)).toBe(false)
    expect(may({ kind: 'transfer' }, 'admin', 'user')).toBe(false)
  })

  test('what is said of users is what the rules do', () => {
    const changes: MemberChange[] = [
      { kind: 'add', role: 'user' },
      { kind: 'remove' },
      { kind: 'set', role: 'user' },
      { kind: 'transfer' },
    ]
    for (const change of changes) expect(may(change, 'user', 'user')).toBe(false)
  })
})

describe('why a change is not possible', () => {
  test('is said of the only owner, of the own role, and of who ranks higher', () => {
    const alone = { ...facts('owner', 'owner', 1), own: true }
    expect(whyNot({ kind: 'leave' }, alone)).toContain('You are the only owner')
    expect(whyNot({ kind: 'set', role: 'user' }, alone)).toContain('You are the only owner')
    expect(whyNot({ kind: 'set', role: 'user' }, { ...alone, owners: 2 })).toContain('You cannot change your own role')
    expect(whyNot({ kind: 'leave' }, { ...alone, owners: 2 })).toBeNull()
    expect(whyNot({ kind: 'set', role: 'user' }, facts('admin', 'owner', 2))).toBe('Only an owner changes an owner.')
    expect(whyNot({ kind: 'set', role: 'admin' }, facts('admin', 'user'))).toBe('Only an owner makes admins.')
    expect(whyNot({ kind: 'remove' }, facts('user', 'user'))).toBe('Your role in the team does not allow it.')
  })
})
