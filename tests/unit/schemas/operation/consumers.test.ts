import { expect, test } from 'vitest'
import { LIFECYCLE_GROUPS } from '../../../../schemas/accounts/lifecycle.ts'
import { ACCOUNT_LIFECYCLE } from '../../../../schemas/log/topics.ts'
import { CONSUMERS } from '../../../../schemas/operation/consumers.ts'

test('a handler of account events shares its group with no other job: members of one group must read the same', () => {
  for (const group of LIFECYCLE_GROUPS)
    expect(CONSUMERS.filter((one) => one.group === group).map(({ topic }) => topic)).toEqual([ACCOUNT_LIFECYCLE])
})
