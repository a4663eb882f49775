import { Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { Loading } from '../parts/feedback/Loading.tsx'
import { NotFound } from '../parts/page/NotFound.tsx'
import { pages } from './pages.ts'

export function PageRoutes() {
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        {pages.map(({ route, component }) => (
          <Route key={route} path={route} component={component} />
        ))}
        <Route component={NotFound} />
      </Switch>
    </Suspense>
  )
}
