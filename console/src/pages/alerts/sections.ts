import { type ComponentType, lazy } from 'react'
import { CONSOLE_PAGES, type ConsolePath } from '../../../../schemas/console-pages.ts'

type Content = {
  label: string
  /** The heading, and the name of the tab of the browser. */
  title: string
  about: string
  content: ComponentType
}

/** Each section is loaded when it is opened. */
const CONTENT: Readonly<Record<ConsolePath<'alerts'>, Content>> = {
  '/alerts': {
    label: 'Inbox',
    title: 'Alerts',
    about: 'Entities that entered one of your watchlists. Alerts are kept for 90 days.',
    content: lazy(() => import('./inbox/Inbox.tsx')),
  },
  '/alerts/watchlists': {
    label: 'Watchlists',
    title: 'Watchlists',
    about:
      'What you watch. You get an alert when an entity enters a watchlist, but not for entities that are already inside.',
    content: lazy(() => import('./watchlists/Watchlists.tsx')),
  },
  '/alerts/destinations': {
    label: 'Destinations',
    title: 'Destinations',
    about: 'Where your alerts are sent: a webhook, a chat or an email address.',
    content: lazy(() => import('./destinations/Destinations.tsx')),
  },
}

/** The sections of `/alerts`, in the order of their menu. */
export const sections = CONSOLE_PAGES.alerts.map((path) => ({ path, ...CONTENT[path] }))
