import { type ComponentType, lazy } from 'react'
import { CONSOLE_PAGES, type ConsolePath } from '../../../../schemas/console-pages.ts'
import type { Role } from '../../session/caller.ts'

type Content = {
  label: string
  about: string
  /** The role that the section needs; absent: everyone may see it. */
  needs?: Role
  /** What the role is for: `To operate the platform`. */
  purpose?: string
  content: ComponentType
}

const OPERATOR = { needs: 'auth_admin', purpose: 'To operate the platform' } as const

/** Each section is loaded when it is opened. Sources are public data. */
const CONTENT: Readonly<Record<ConsolePath<'operations'>, Content>> = {
  '/operations': {
    ...OPERATOR,
    label: 'Health',
    about: 'Every service that requests depend on, checked every 5 seconds.',
    content: lazy(() => import('./Health.tsx')),
  },
  '/operations/lag': {
    ...OPERATOR,
    label: 'Lag',
    about: 'Records of the log that consumers have not processed yet.',
    content: lazy(() => import('./lag/Lag.tsx')),
  },
  '/operations/topics': {
    ...OPERATOR,
    label: 'Topics',
    about: 'The topics of the log and what they hold.',
    content: lazy(() => import('./Topics.tsx')),
  },
  '/operations/breakers': {
    ...OPERATOR,
    label: 'Breakers',
    about:
      'A circuit breaker stops a consumer when too many records fail. The consumer continues when you close the breaker.',
    content: lazy(() => import('./Breakers.tsx')),
  },
  '/operations/dead-letters': {
    ...OPERATOR,
    label: 'Dead letters',
    about: 'Records that could not be processed, with the reason. They are kept for 30 days.',
    content: lazy(() => import('./dead-letters/DeadLetters.tsx')),
  },
  '/operations/audit': {
    ...OPERATOR,
    label: 'Audit',
    about:
      'Who did what: changes, sign-ins, exports and refusals, newest first. Choose a value to see only its records.',
    content: lazy(() => import('./audit/Audit.tsx')),
  },
  '/operations/sources': {
    label: 'Sources',
    about: 'How reliable the sources of the reports are that you may read.',
    content: lazy(() => import('./sources/Sources.tsx')),
  },
  '/operations/users': {
    ...OPERATOR,
    label: 'Users',
    about: 'User accounts with their roles and groups.',
    content: lazy(() => import('./users/Users.tsx')),
  },
  '/operations/customers': {
    label: 'Customers',
    about: 'Teams and their subscriptions.',
    needs: 'billing_admin',
    purpose: 'To administer customers',
    content: lazy(() => import('./customers/Customers.tsx')),
  },
}

export type Section = Content & { path: ConsolePath<'operations'> }

/** The sections of `/operations`, in the order of their menu. */
export const sections: readonly Section[] = CONSOLE_PAGES.operations.map((path) => ({ path, ...CONTENT[path] }))
