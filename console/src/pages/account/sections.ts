import { type ComponentType, lazy } from 'react'
import { CONSOLE_PAGES, type ConsolePath } from '../../../../schemas/console-pages.ts'

type Content = {
  label: string
  /** The heading, and the name of the tab of the browser. */
  title: string
  about: string
  /** Anonymous callers see it too. */
  open?: true
  content: ComponentType
}

/** Each section is loaded when it is opened. */
const CONTENT: Readonly<Record<ConsolePath<'account'>, Content>> = {
  '/account': {
    label: 'Profile',
    title: 'Profile',
    about: 'Your account, your roles and your groups.',
    content: lazy(() => import('./profile/Profile.tsx')),
  },
  '/account/team': {
    label: 'Team',
    title: 'Team',
    about: 'The people who share reports, access and billing with you.',
    content: lazy(() => import('./team/Team.tsx')),
  },
  '/account/plan': {
    label: 'Plan',
    title: 'Plan',
    about: 'The tier of your team. It sets your limits and quotas.',
    content: lazy(() => import('./plan/Plan.tsx')),
  },
  '/account/limits': {
    label: 'Limits',
    title: 'Limits',
    about: 'How many requests you may make, and how many you have used. Updated every 5 seconds.',
    open: true,
    content: lazy(() => import('./Limits.tsx')),
  },
  '/account/quotas': {
    label: 'Quotas',
    title: 'Quotas',
    about: 'How much your team may have at the same time.',
    content: lazy(() => import('./Quotas.tsx')),
  },
  '/account/keys': {
    label: 'Keys',
    title: 'Key pairs',
    about: 'Credentials for your programs.',
    content: lazy(() => import('./keys/Keys.tsx')),
  },
  '/account/sessions': {
    label: 'Sessions',
    title: 'Sessions',
    about: 'Where you are signed in. A session ends 30 days after it was last extended.',
    content: lazy(() => import('./sessions/Sessions.tsx')),
  },
}

/** The sections of `/account`, in the order of their menu. */
export const sections = CONSOLE_PAGES.account.map((path) => ({ path, ...CONTENT[path] }))
