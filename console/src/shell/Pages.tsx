import { type ComponentType, lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { Waiting } from '../parts/feedback/Waiting.tsx'
import { NotFound } from './NotFound.tsx'

/** Each page is a file of its own that is loaded when it is opened. */
const pages: [path: string, page: ComponentType][] = [
  ['/', lazy(() => import('../pages/overview/Overview.tsx'))],
  ['/triage', lazy(() => import('../pages/triage/Triage.tsx'))],
  ['/attribution', lazy(() => import('../pages/attribution/Attribution.tsx'))],
  ['/search', lazy(() => import('../pages/search/Search.tsx'))],
  ['/entity/:id', lazy(() => import('../pages/entity/Entity.tsx'))],
  ['/report', lazy(() => import('../pages/report/Report.tsx'))],
  ['/scans', lazy(() => import('../pages/scans/Scans.tsx'))],
  ['/account/*?', lazy(() => import('../pages/account/Account.tsx'))],
  ['/operations/*?', lazy(() => import('../pages/operations/Operations.tsx'))],
  ['/sign-in', lazy(() => import('../pages/sign-in/SignIn.tsx'))],
]

export function Pages() {
  return (
    <Suspense fallback={<Waiting />}>
      <Switch>
        {pages.map(([path, page]) => (
          <Route key={path} path={path} component={page} />
        ))}
        <Route component={NotFound} />
      </Switch>
    </Suspense>
  )
}
