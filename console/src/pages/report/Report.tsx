import { SegmentedControl } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'wouter'
import { RoleRequired } from '../../parts/access/RoleRequired.tsx'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { useParameter } from '../../parts/page/useParameter.ts'
import { useDefinitions } from './definitions.ts'
import { ReportForm } from './ReportForm.tsx'

/** Loaded on demand: only bulk reports read files and the list of public suffixes. */
const Bulk = lazy(() => import('./bulk/Bulk.tsx'))

/** `/report?type=&value=`: reports one entity; `?mode=bulk` reports many. */
export default function Report() {
  const [mode, setMode] = useParameter('mode')
  return (
    <Page
      title="Report"
      about="Report what you have seen. The platform evaluates it together with all other reports."
      controls={
        <SegmentedControl
          aria-label="Report mode"
          value={mode === 'bulk' ? 'bulk' : 'one'}
          onChange={(to) => setMode(to === 'bulk' ? 'bulk' : '')}
          data={[
            { value: 'one', label: 'One entity' },
            { value: 'bulk', label: 'Many at once' },
          ]}
        />
      }
    >
      <RoleRequired needs="reporter" purpose="To report entities">
        <Suspense fallback={<Loading />}>
          <Body bulk={mode === 'bulk'} />
        </Suspense>
      </RoleRequired>
    </Page>
  )
}

function Body({ bulk }: { bulk: boolean }) {
  const definitions = useDefinitions()
  const [parameters] = useSearchParams()
  const [type, value] = [parameters.get('type') ?? '', parameters.get('value') ?? '']
  return (
    <QueryResult of={definitions}>
      {(all) =>
        bulk ? (
          <Bulk definitions={all} />
        ) : (
          <ReportForm
            key={`${type} ${value}`}
            definitions={all}
            type={all.some((one) => one.type === type) ? type : 'ip'}
            value={value}
          />
        )
      }
    </QueryResult>
  )
}
