import { type ComponentType, lazy } from 'react'
import type { Role } from '../../session/caller.ts'

export type Section = {
  path: string
  label: string
  title: string
  about: string
  /** Who may see it; absent: everyone. */
  needs?: Role
  /** `To see the health of the parts`. */
  purpose?: string
  content: ComponentType
}

const operator = { needs: 'auth_admin', purpose: 'To operate the platform' } as const

/** The parts of the operation, each with an address of its own. The sources are public data. */
export const sections: Section[] = [
  {
    ...operator,
    ...{ path: '/operations', label: 'Health', title: 'Health' },
    about: 'Every part that requests need, asked every few seconds.',
    content: lazy(() => import('./health/Health.tsx')),
  },
  {
    ...operator,
    ...{ path: '/operations/lag', label: 'Lag', title: 'Lag' },
    about: 'What the consumers of the log have not applied yet.',
    content: lazy(() => import('./lag/Lag.tsx')),
  },
  {
    ...operator,
    ...{ path: '/operations/topics', label: 'Topics', title: 'Topics' },
    about: 'What the log holds.',
    content: lazy(() => import('./Topics.tsx')),
  },
  {
    ...operator,
    ...{ path: '/operations/breakers', label: 'Breakers', title: 'Breakers' },
    about: 'A consumer stops by itself when too many records are dead; it goes on when its breaker is closed.',
    content: lazy(() => import('./Breakers.tsx')),
  },
  {
    ...operator,
    ...{ path: '/operations/dead-letters', label: 'Dead letters', title: 'Dead letters' },
    about: 'Records that could not be used, put aside with the reason. They are kept for 30 days.',
    content: lazy(() => import('./dead-letters/DeadLetters.tsx')),
  },
  {
    ...{ path: '/operations/sources', label: 'Sources', title: 'Sources' },
    about: 'How those do whose reports you may read.',
    content: lazy(() => import('./sources/Sources.tsx')),
  },
  {
    ...operator,
    ...{ path: '/operations/users', label: 'Users', title: 'Users' },
    about: 'Accounts, what they may do and what they read.',
    content: lazy(() => import('./users/Users.tsx')),
  },
  {
    ...{ path: '/operations/customers', label: 'Customers', title: 'Customers' },
    about: 'Teams, and what they pay for.',
    needs: 'billing_admin',
    purpose: 'To administer customers',
    content: lazy(() => import('./customers/Customers.tsx')),
  },
]
