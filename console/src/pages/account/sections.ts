import { type ComponentType, lazy } from 'react'

export type Section = {
  path: string
  label: string
  /** The heading, and the name of the tab of the browser. */
  title: string
  about: string
  /** Shown to anonymous callers too. */
  open?: true
  content: ComponentType
}

/** What is under `/account`, in the order of its menu; each is loaded when it is opened. */
export const sections: Section[] = [
  {
    path: '/account',
    label: 'Profile',
    title: 'Profile',
    about: 'Who you are here, and what that lets you do and read.',
    content: lazy(() => import('./profile/Profile.tsx')),
  },
  {
    path: '/account/team',
    label: 'Team',
    title: 'Team',
    about: 'Who reports, reads and pays together.',
    content: lazy(() => import('./team/Team.tsx')),
  },
  {
    path: '/account/plan',
    label: 'Plan',
    title: 'Plan',
    about: 'The tier of your team: it sets your limits and quotas.',
    content: lazy(() => import('./plan/Plan.tsx')),
  },
  {
    path: '/account/limits',
    label: 'Limits',
    title: 'Limits',
    about: 'How often you may ask, and how much of it is used. Read anew every 5 seconds.',
    open: true,
    content: lazy(() => import('./limits/Limits.tsx')),
  },
  {
    path: '/account/quotas',
    label: 'Quotas',
    title: 'Quotas',
    about: 'How much your team may have at the same time.',
    content: lazy(() => import('./quotas/Quotas.tsx')),
  },
  {
    path: '/account/keys',
    label: 'Keys',
    title: 'Key pairs',
    about: 'The credentials of your programs.',
    content: lazy(() => import('./keys/Keys.tsx')),
  },
  {
    path: '/account/sessions',
    label: 'Sessions',
    title: 'Sessions',
    about: 'Where you are signed in. A session ends 30 days after it was last extended.',
    content: lazy(() => import('./sessions/Sessions.tsx')),
  },
]
